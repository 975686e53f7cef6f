// The state of a table, as Colyseus sends it.

import { schema, t } from '@colyseus/schema';

export const Player = schema({ held: t.uint8(), taken: t.uint16(), hand: t.array('uint8').view() }, 'Player');

export const State = schema({
  // Counts moves, so that the player who made one knows that it was accepted.
  moves: t.uint32(),
  turn: t.uint8(),
  // The card that was led, or -1.
  led: t.int8(),
  players: t.array(Player),
}, 'State');
