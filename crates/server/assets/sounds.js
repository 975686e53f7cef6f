// Short synthesized sounds. Browsers let a page play sounds only after the user has interacted with it.

let context = null;
const quiet = () => document.documentElement.classList.contains("mute");

function tone(frequency, start, length, volume, type) {
  const oscillator = context.createOscillator(), gain = context.createGain();
  oscillator.type = type;
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(volume, context.currentTime + start);
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(context.currentTime + start);
  oscillator.stop(context.currentTime + start + length);
}

const SOUNDS = {
  card: () => tone(190, 0, 0.06, 0.12, "triangle"),
  turn: () => { tone(660, 0, 0.12, 0.08, "sine"); tone(880, 0.1, 0.16, 0.08, "sine"); },
  end: () => { tone(523, 0, 0.14, 0.08, "sine"); tone(659, 0.12, 0.14, 0.08, "sine"); tone(784, 0.24, 0.24, 0.08, "sine"); },
};

/** Plays a sound, unless sounds are off. In a background tab only the turn is heard. */
export function play(name) {
  if (quiet() || (document.hidden && name !== "turn") || !navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    SOUNDS[name]?.();
  } catch { /* The page works without sound. */ }
}
