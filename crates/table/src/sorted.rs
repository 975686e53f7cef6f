//! A map as a sorted vector.
//!
//! What is kept about a table has few entries, and is kept in many maps. A tree costs several thousand bytes of code for
//! every pair of types, a sorted vector a few hundred, and browsers have to load it. Methods are those of the
//! standard library's ordered map.

use core::ops::Index;

/// A map, in the order of its keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Map<K, V> {
    /// Nothing.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of it.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.into_iter()
    }

    /// The keys.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// The same, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// The entry with the greatest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.0.last().map(|(key, value)| (key, value))
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps only what is wanted.
    pub fn retain(&mut self, mut wanted: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| wanted(key, value));
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Where a key is, or where it belongs.
    fn find(&self, key: &K) -> Result<usize, usize> {
        self.0.binary_search_by(|(one, _)| one.cmp(key))
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.find(key).ok().and_then(|at| self.0.get(at)).map(|(_, value)| value)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.find(key).ok().and_then(|at| self.0.get_mut(at)).map(|(_, value)| value)
    }

    /// Whether there is a value for a key.
    pub fn contains_key(&self, key: &K) -> bool {
        self.find(key).is_ok()
    }

    /// Sets the value of a key; returns the one before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => self.0.get_mut(at).map(|(_, before)| core::mem::replace(before, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// The value of a key, which is set if there is none.
    pub fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let at = match self.find(&key) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (key, make()));
                at
            }
        };
        &mut self.0.get_mut(at).expect("it is there, or was put there").1
    }

    /// Removes a key; returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.find(key).ok().map(|at| self.0.remove(at).1)
    }

    /// Takes away everything from this key on.
    pub fn split_off(&mut self, key: &K) -> Self {
        let (Ok(at) | Err(at)) = self.find(key);
        Self(self.0.split_off(at))
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(all: I) -> Self {
        let mut map = Self::new();
        map.extend(all);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, all: I) {
        for (key, value) in all {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(all: [(K, V); N]) -> Self {
        all.into_iter().collect()
    }
}

impl<K: Ord, V> Index<&K> for Map<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        self.get(key).expect("whoever asks so knows that it is there")
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// All entries of a map.
#[derive(Clone, Debug)]
pub struct Iter<'a, K, V>(core::slice::Iter<'a, (K, V)>);

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (key, value))
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        Iter(self.0.iter())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Everything that can be asked says the same.
    fn same(map: &Map<u8, u32>, tree: &BTreeMap<u8, u32>) {
        assert!(map.iter().eq(tree) && map.into_iter().rev().eq(tree.iter().rev()));
        assert!(map.keys().eq(tree.keys()) && map.values().eq(tree.values()));
        assert_eq!((map.len(), map.is_empty()), (tree.len(), tree.is_empty()));
        assert_eq!(map.last_key_value(), tree.last_key_value());
        for key in 0..=u8::MAX {
            assert_eq!((map.get(&key), map.contains_key(&key)), (tree.get(&key), tree.contains_key(&key)));
        }
        assert_eq!(map.clone().into_iter().collect::<Vec<_>>(), tree.clone().into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn it_is_the_map_of_the_standard_library() {
        let (mut map, mut tree) = (Map::new(), BTreeMap::new());
        let mut state: u32 = 7;
        for round in 0..4_000_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [_, _, key, what] = state.to_le_bytes();
            match what % 16 {
                0..7 => assert_eq!(map.insert(key, round), tree.insert(key, round)),
                7..12 => assert_eq!(map.remove(&key), tree.remove(&key)),
                12 => {
                    let (of_map, of_tree) = (map.or_insert_with(key, || round), tree.entry(key).or_insert(round));
                    assert_eq!(of_map, of_tree);
                    *of_map += 1;
                    *of_tree += 1;
                }
                13 => {
                    map.get_mut(&key).into_iter().for_each(|value| *value = 0);
                    tree.get_mut(&key).into_iter().for_each(|value| *value = 0);
                    map.values_mut().for_each(|value| *value /= 2);
                    tree.values_mut().for_each(|value| *value /= 2);
                }
                14 if round % 20 == 0 => {
                    map = map.split_off(&key);
                    tree = tree.split_off(&key);
                }
                15 if round % 20 == 1 => {
                    map.retain(|one, value| one % 3 != key % 3 || *value % 2 == 0);
                    tree.retain(|one, value| one % 3 != key % 3 || *value % 2 == 0);
                }
                _ => {}
            }
            if round % 16 == 0 {
                same(&map, &tree);
            }
        }
        assert_eq!(tree.iter().map(|(key, value)| (*key, *value)).rev().collect::<Map<_, _>>(), map);
        map.clear();
        assert_eq!(map, Map::default());
        let twice = Map::from([(2, 'b'), (1, 'a'), (2, 'c')]);
        assert_eq!((twice.len(), twice[&1], twice[&2]), (2, 'a', 'c'));
    }
}
