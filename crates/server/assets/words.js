// Four words for a hash, so that people can compare it by reading it to each other: one for each of its first four
// bytes. The list is that of `dealing::WORDS`, in its order.

/** The words, by the byte they stand for. */
export const WORDS = `
acorn actor album almond amber anchor angel apple apron arena arrow atlas attic autumn bacon badge baker bamboo
banana banjo barrel basket beaver bench biscuit bishop blanket bonnet bottle branch brick bridge broom bubble
bucket buffalo butter button cabin cactus camel canal candle canyon carbon carpet castle cement chalk cherry
chess circle citrus clover cobra coffee comet compass copper coral cotton cousin cradle crater crown crystal
curtain daisy dancer desert diamond dinner doctor dolphin dragon drum eagle echo elbow elephant engine fabric
falcon family farmer feather fiddle flag flute forest fossil fox frog galaxy garden garlic giant ginger glacier
glove goblet grape guitar hammer harbor helmet hero hockey honey hotel iceberg igloo insect island ivory jacket
jaguar jelly jigsaw jungle kayak kettle kitten knight koala ladder lagoon lantern lemon lettuce lily lion lizard
lobster lotus magnet mango maple marble meadow meteor mirror monkey mosaic mountain muffin museum mustard napkin
nectar needle noodle nugget oasis ocean octopus olive onion orange orbit orchid otter oven owl oyster paddle
palace panda paper parrot peanut pebble pencil pepper piano pigeon pilot pirate planet pocket poem potato prince
pumpkin puppet puzzle pyramid quartz queen quilt rabbit radio raft rainbow raven ribbon river robot rubber ruby
salad salmon sandal scarf school seven shadow shark silver sister spider sponge spoon spring squirrel statue
summer sunset swan tablet taxi teacher temple tennis thunder tiger tornado tower tractor trophy trumpet tulip
tunnel turtle umbrella uncle unicorn valley vampire velvet violin volcano voyage vulture waffle walnut walrus
weasel whisker willow window winter wolf yogurt zebra zipper
`.trim().split(/\s+/);

/** The words of the first four bytes of a hash. */
export const fourWords = (hash) => Array.from(hash.subarray(0, 4), (byte) => WORDS[byte]);
