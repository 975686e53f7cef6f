//! One hash that fixes many values, each of which can be shown alone.
//!
//! A tree of hashes over salted leaves. Anyone who has the root can check one value with its salt and its path
//! (the neighbouring hashes on the way up), and learns nothing about the others: a salt of 32 random bytes
//! protects even a value with only fifty possibilities from being guessed.
//!
//! Leaves, inner nodes and the root are hashed with different prefixes, so none can pass for another. A leaf
//! binds the context of the tree, the number of leaves and its own index. A node without a neighbour moves up
//! one level unchanged: nothing is duplicated, so two lists of leaves never have the same root.

use core::fmt;

use sha2::{Digest, Sha256};

use crate::{Malformed, Reader, Wire, hash_fields, write_counted};

/// The most levels a path can have.
const MOST_LEVELS: usize = 16;

/// The most leaves of a tree.
pub const MOST_LEAVES: usize = 1 << MOST_LEVELS;

/// One hash that fixes all leaves and their number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Root(pub [u8; 32]);

/// The neighbouring hashes on the way from a leaf to the root, from the bottom up.
#[derive(Clone, PartialEq, Eq)]
pub struct Path(Vec<[u8; 32]>);

/// The whole tree, for the party that knows all leaves.
#[derive(Clone)]
pub struct Tree {
    context: [u8; 32],
    /// From the leaves up to the single top.
    levels: Vec<Vec<[u8; 32]>>,
}

/// Not a number of leaves a tree can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadLeafCount(pub usize);

impl fmt::Display for BadLeafCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a tree has from 1 to {MOST_LEAVES} leaves, not {}", self.0)
    }
}

impl core::error::Error for BadLeafCount {}

/// The contents of one leaf.
#[derive(Clone, Copy)]
pub struct Leaf<'a> {
    /// The value.
    pub value: &'a [u8],
    /// Hides the value until it is shown: random, and secret until then.
    pub salt: &'a [u8; 32],
}

impl Tree {
    /// The tree over these leaves; `context` identifies the tree.
    pub fn new(context: [u8; 32], leaves: &[Leaf<'_>]) -> Result<Self, BadLeafCount> {
        let count = leaf_count(leaves.len())?;
        let mut level: Vec<[u8; 32]> =
            (0..count).zip(leaves).map(|(index, leaf)| leaf_hash(&context, count, index, leaf)).collect();
        let mut levels = Vec::new();
        while level.len() > 1 {
            let above = level.chunks(2).map(|pair| match pair {
                [left, right] => node_hash(left, right),
                [alone] => *alone,
                _ => [0; 32],
            });
            let above = above.collect();
            levels.push(core::mem::replace(&mut level, above));
        }
        levels.push(level);
        Ok(Self { context, levels })
    }

    /// The hash that fixes the whole tree.
    pub fn root(&self) -> Root {
        let top = self.levels.last().and_then(|top| top.first()).copied().unwrap_or_default();
        let leaves = self.levels.first().map_or(0, Vec::len);
        root_hash(&self.context, u32::try_from(leaves).unwrap_or(u32::MAX), &top)
    }

    /// The path of a leaf; `None` if there is no such leaf.
    pub fn path(&self, index: usize) -> Option<Path> {
        self.levels.first()?.get(index)?;
        let (_, below) = self.levels.split_last()?;
        let beside = below.iter().enumerate().filter_map(|(level, hashes)| hashes.get((index >> level) ^ 1));
        Some(Path(beside.copied().collect()))
    }
}

/// Shows nothing: salts might be derived from the contents.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tree(..)")
    }
}

impl Root {
    /// Whether this is the leaf at `index` of `count` in the tree with this context.
    pub fn holds(&self, context: &[u8; 32], count: usize, index: usize, leaf: &Leaf<'_>, path: &Path) -> bool {
        let Ok(leaves) = leaf_count(count) else { return false };
        let Some(place) = u32::try_from(index).ok().filter(|place| *place < leaves) else { return false };
        let mut hash = leaf_hash(context, leaves, place, leaf);
        let mut beside = path.0.iter();
        let (mut index, mut width) = (index, count);
        while width > 1 {
            // The last of an odd number has no neighbour.
            if index ^ 1 < width {
                let Some(other) = beside.next() else { return false };
                hash = if index & 1 == 0 { node_hash(&hash, other) } else { node_hash(other, &hash) };
            }
            index >>= 1;
            width = width.div_ceil(2);
        }
        beside.next().is_none() && *self == root_hash(context, leaves, &hash)
    }
}

impl Path {
    /// The hashes, from the bottom up.
    pub fn hashes(&self) -> &[[u8; 32]] {
        &self.0
    }
}

impl fmt::Debug for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, ..] = self.0;
        write!(f, "Root({a:02x}{b:02x}{c:02x}{d:02x}…)")
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({} hashes)", self.0.len())
    }
}

impl Wire for Root {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        from.array().map(Self)
    }
}

impl Wire for Path {
    fn write(&self, out: &mut Vec<u8>) {
        write_counted(&self.0, out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        from.counted(0, MOST_LEVELS).map(Self)
    }
}

fn leaf_count(leaves: usize) -> Result<u32, BadLeafCount> {
    match u32::try_from(leaves) {
        Ok(count) if (1..=MOST_LEAVES).contains(&leaves) => Ok(count),
        _ => Err(BadLeafCount(leaves)),
    }
}

fn leaf_hash(context: &[u8; 32], count: u32, index: u32, leaf: &Leaf<'_>) -> [u8; 32] {
    let place = [count.to_le_bytes(), index.to_le_bytes()];
    hash_fields(&[b"fairdeal/merkle/v1/leaf", context, place.as_flattened(), leaf.salt, leaf.value])
}

/// All lengths are fixed, so none are hashed; no leaf begins with this prefix.
#[inline]
fn node_hash(left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
    Sha256::new().chain_update(b"fairdeal/merkle/v1/node").chain_update(left).chain_update(right).finalize().into()
}

fn root_hash(context: &[u8; 32], count: u32, top: &[u8; 32]) -> Root {
    Root(hash_fields(&[b"fairdeal/merkle/v1/root", context, &count.to_le_bytes(), top]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{decode, encode};

    const HERE: [u8; 32] = [5; 32];

    fn leaves(count: u8) -> Vec<([u8; 1], [u8; 32])> {
        (0..count).map(|i| ([i], [i ^ 0x55; 32])).collect()
    }

    fn tree(of: &[([u8; 1], [u8; 32])]) -> Tree {
        let leaves: Vec<Leaf<'_>> = of.iter().map(|(value, salt)| Leaf { value, salt }).collect();
        Tree::new(HERE, &leaves).unwrap()
    }

    #[test]
    fn every_leaf_of_every_small_tree_is_accepted_only_at_its_own_place() {
        for count in 1..=20 {
            let all = leaves(count);
            let count = all.len();
            let tree = tree(&all);
            let root = tree.root();
            for (i, (value, salt)) in all.iter().enumerate() {
                let leaf = Leaf { value, salt };
                let path = tree.path(i).unwrap();
                for place in 0..count + 2 {
                    assert_eq!(root.holds(&HERE, count, place, &leaf, &path), place == i, "{i} of {count} at {place}");
                }
                for other in (1..=22).filter(|other| *other != count) {
                    assert!(!root.holds(&HERE, other, i, &leaf, &path), "{i} of {count} as of {other}");
                }
                assert!(!root.holds(&[6; 32], count, i, &leaf, &path), "another tree");
                assert!(!root.holds(&HERE, count, i, &Leaf { value: &[value[0], 0], salt }, &path));
                assert!(!root.holds(&HERE, count, i, &Leaf { value, salt: &[0; 32] }, &path));
            }
            assert_eq!(tree.path(count), None);
        }
    }

    #[test]
    fn a_changed_shortened_or_lengthened_path_is_refused() {
        let all = leaves(13);
        let tree = tree(&all);
        for (i, (value, salt)) in all.iter().enumerate() {
            let leaf = Leaf { value, salt };
            let good = tree.path(i).unwrap();
            let refused = |path: Path| assert!(!tree.root().holds(&HERE, 13, i, &leaf, &path), "leaf {i}");
            for k in 0..good.0.len() {
                let mut changed = good.clone();
                changed.0[k][31] ^= 1;
                refused(changed);
            }
            refused(Path(good.0[1..].to_vec()));
            refused(Path([good.0.as_slice(), &[[0; 32]]].concat()));
        }
    }

    #[test]
    fn lists_that_differ_only_in_a_repeated_last_leaf_have_different_roots() {
        let mut all = leaves(3);
        let three = tree(&all).root();
        all.push(all[2]);
        assert_ne!(tree(&all).root(), three);
    }

    #[test]
    fn there_is_no_tree_without_leaves_or_with_too_many() {
        assert_eq!(Tree::new(HERE, &[]).err(), Some(BadLeafCount(0)));
        let leaf = Leaf { value: b"x", salt: &[0; 32] };
        let too_many = vec![leaf; MOST_LEAVES + 1];
        assert_eq!(Tree::new(HERE, &too_many).err(), Some(BadLeafCount(MOST_LEAVES + 1)));
    }

    #[test]
    fn paths_are_read_as_written_and_longer_ones_are_refused() {
        let path = tree(&leaves(13)).path(4).unwrap();
        let bytes = encode(&path);
        assert_eq!(decode::<Path>(&bytes), Ok(path));
        assert_eq!(decode::<Path>(&[&bytes[..], &[0]].concat()), Err(Malformed::Trailing));
        assert_eq!(decode::<Path>(&bytes[..bytes.len() - 1]), Err(Malformed::Short));
        let long = encode(&Path(vec![[0; 32]; MOST_LEVELS + 1]));
        assert_eq!(decode::<Path>(&long), Err(Malformed::Length { least: 0, most: MOST_LEVELS }));
    }

    #[test]
    fn the_root_is_frozen() {
        let hex: String = tree(&leaves(5)).root().0.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "9bc79606b6680f0111a5c87e59f1ffc2a566897ce0ae0a2973ed22d2c904a24d");
    }
}
