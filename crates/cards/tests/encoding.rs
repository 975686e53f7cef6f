//! The serde forms: how values are written, and that impossible ones are refused.

use cards::{Card, CardSet, PhysicalCard, Played, Rank, Suit, parse_cards};
use numbers::{from_numbers, to_numbers};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Checks both forms of one value.
fn both<T>(value: T, text: &str, numbers: &[u64])
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    assert_eq!(serde_json::to_string(&value).ok().as_deref(), Some(text));
    assert_eq!(serde_json::from_str::<T>(text).ok().as_ref(), Some(&value));
    assert_eq!(to_numbers(&value).as_deref(), Ok(numbers));
    assert_eq!(from_numbers::<T>(numbers), Ok(value));
}

fn refused<T: DeserializeOwned + std::fmt::Debug>(texts: &[&str], numbers: &[&[u64]]) {
    for text in texts {
        assert!(serde_json::from_str::<T>(text).is_err(), "{text}");
    }
    for list in numbers {
        assert!(from_numbers::<T>(list).is_err(), "{list:?}");
    }
}

#[test]
fn a_card_is_text_for_people_and_a_code_for_machines() {
    both(Card::new(Rank::Ace, Suit::Spades), r#""AS""#, &[51]);
    both(Card::JOKER, r#""JK""#, &[52]);
    both(Card::lot(6).unwrap(), r#""d6""#, &[70]);
    both(Suit::Hearts, r#""H""#, &[2]);
    both(Rank::Ten, r#""T""#, &[8]);
}

#[test]
fn a_played_card_is_text_for_people_and_numbers_for_machines() {
    let card: PhysicalCard = "7S#2".parse().unwrap();
    both(card, r#""7S#2""#, &[44, 2]);
    both(Played::from(card), r#""7S#2""#, &[44, 2, 0]);
    let joker: Played = "JK#3=7D".parse().unwrap();
    both(joker, r#""JK#3=7D""#, &[52, 3, 1, 18]);
}

#[test]
fn a_set_is_a_list_for_people_and_bits_for_machines() {
    let set: CardSet = parse_cards("AS 2C").unwrap().into_iter().collect();
    both(set, r#"["2C","AS"]"#, &[(1 << 51) + 1]);
    both(CardSet::EMPTY, "[]", &[0]);
}

#[test]
fn impossible_values_are_refused() {
    refused::<Card>(&[r#""XX""#, "51", r#""""#], &[&[53], &[63], &[128]]);
    refused::<Suit>(&[r#""X""#, r#""SS""#], &[&[4]]);
    refused::<Rank>(&[r#""1""#, r#""10""#], &[&[13]]);
    refused::<PhysicalCard>(&[r#""7S""#, r#""7S#0""#], &[&[44, 0], &[53, 1]]);
    refused::<Played>(&[r#""7S#1=7D""#], &[&[44, 1, 1, 18], &[52, 1, 1, 52]]);
    refused::<CardSet>(&[r#"["2C","2C"]"#, r#"["JK"]"#], &[&[1 << 52]]);
}

/// A minimal binary format: a list of numbers, not meant for people.
mod numbers {
    use serde::de::value::{Error, SeqDeserializer};
    use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, SeqAccess, Visitor};
    use serde::ser::{Impossible, SerializeTuple};
    use serde::{Deserializer, Serialize, Serializer, forward_to_deserialize_any};

    pub(crate) fn to_numbers<T: Serialize>(value: &T) -> Result<Vec<u64>, Error> {
        let mut numbers = Writer(Vec::new());
        value.serialize(&mut numbers)?;
        Ok(numbers.0)
    }

    pub(crate) fn from_numbers<T: DeserializeOwned>(numbers: &[u64]) -> Result<T, Error> {
        let mut reader = Reader(numbers.iter());
        let value = T::deserialize(&mut reader)?;
        SeqDeserializer::new(reader.0.copied()).end()?;
        Ok(value)
    }

    struct Writer(Vec<u64>);

    macro_rules! refuse {
        ($($method:ident: $type:ty,)*) => {
            $(fn $method(self, _: $type) -> Result<(), Error> {
                Err(Error::custom(stringify!($method)))
            })*
        };
    }

    impl Serializer for &mut Writer {
        type Ok = ();
        type Error = Error;
        type SerializeSeq = Impossible<(), Error>;
        type SerializeTuple = Self;
        type SerializeTupleStruct = Impossible<(), Error>;
        type SerializeTupleVariant = Impossible<(), Error>;
        type SerializeMap = Impossible<(), Error>;
        type SerializeStruct = Impossible<(), Error>;
        type SerializeStructVariant = Impossible<(), Error>;

        refuse! {
            serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
            serialize_i64: i64, serialize_u16: u16, serialize_u32: u32, serialize_f32: f32,
            serialize_f64: f64, serialize_char: char, serialize_str: &str,
            serialize_bytes: &[u8], serialize_unit_struct: &'static str,
        }

        fn is_human_readable(&self) -> bool {
            false
        }
        fn serialize_u8(self, number: u8) -> Result<(), Error> {
            self.serialize_u64(number.into())
        }
        fn serialize_u64(self, number: u64) -> Result<(), Error> {
            self.0.push(number);
            Ok(())
        }
        fn serialize_none(self) -> Result<(), Error> {
            self.serialize_u64(0)
        }
        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
            self.0.push(1);
            value.serialize(self)
        }
        fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
            Ok(self)
        }
        fn serialize_unit(self) -> Result<(), Error> {
            Err(Error::custom("unit"))
        }
        fn serialize_unit_variant(self, name: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
            Err(Error::custom(name))
        }
        fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
            value.serialize(self)
        }
        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            name: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<(), Error> {
            Err(Error::custom(name))
        }
        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
            Err(Error::custom("seq"))
        }
        fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
            Err(Error::custom(name))
        }
        fn serialize_tuple_variant(
            self,
            name: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant, Error> {
            Err(Error::custom(name))
        }
        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
            Err(Error::custom("map"))
        }
        fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
            Err(Error::custom(name))
        }
        fn serialize_struct_variant(
            self,
            name: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant, Error> {
            Err(Error::custom(name))
        }
    }

    impl SerializeTuple for &mut Writer {
        type Ok = ();
        type Error = Error;

        fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
            value.serialize(&mut **self)
        }
        fn end(self) -> Result<(), Error> {
            Ok(())
        }
    }

    struct Reader<'a>(std::slice::Iter<'a, u64>);

    impl Reader<'_> {
        fn number(&mut self) -> Result<u64, Error> {
            self.0.next().copied().ok_or_else(|| Error::custom("end"))
        }
    }

    impl<'de> Deserializer<'de> for &mut Reader<'_> {
        type Error = Error;

        fn is_human_readable(&self) -> bool {
            false
        }
        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_u64(self.number()?)
        }
        fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.number()? {
                0 => visitor.visit_none(),
                _ => visitor.visit_some(self),
            }
        }
        fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_seq(self)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            unit unit_struct newtype_struct seq tuple_struct map struct enum identifier
            ignored_any
        }
    }

    impl<'de> SeqAccess<'de> for &mut Reader<'_> {
        type Error = Error;

        fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
            seed.deserialize(&mut **self).map(Some)
        }
    }
}
