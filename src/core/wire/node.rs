//! What every wire type comes down to before it is serialised.
//!
//! May touch: `label`. A serialiser is generic code: met by each type itself it would be compiled once for
//! each, which made a tenth of the engine. So all types show themselves as [`Node`], the one type that it meets.
use crate::core::label::{Id, Label};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

/// One value on its way out. No variant can carry text of the page.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations)] // Its parts are known by their trait only.
pub enum Node<'a> {
    /// Nothing: the field is left out.
    Absent,
    /// A number.
    Number(f64),
    /// A whole number.
    Count(u32),
    /// Yes or no.
    Flag(bool),
    /// Name of a variant.
    Name(&'static str),
    /// An identifier.
    Id(&'a Id),
    /// A declared value.
    Label(&'a Label),
    /// 64 bits as 16 hex digits.
    Hex(u64),
    /// Parts by name.
    Object(&'a dyn Parts),
    /// Parts in order; their names are empty.
    List(&'a dyn Parts),
}

/// What has parts.
pub trait Parts {
    /// Shows the parts one after the other.
    fn each(&self, part: &mut dyn FnMut(&str, Node<'_>));
}

/// What can go out.
pub trait Wire {
    /// The value as a node.
    fn node(&self) -> Node<'_>;
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Absent => serializer.serialize_none(),
            Self::Number(number) => serializer.serialize_f64(number),
            Self::Count(count) => serializer.serialize_u32(count),
            Self::Flag(flag) => serializer.serialize_bool(flag),
            Self::Name(name) => serializer.serialize_str(name),
            Self::Id(id) => serializer.serialize_str(id.as_str()),
            Self::Label(label) => serializer.serialize_str(label.as_str()),
            Self::Hex(number) => {
                serializer.serialize_str(::core::str::from_utf8(&hex(number)).unwrap_or_default())
            }
            Self::Object(parts) => {
                let mut map = serializer.serialize_map(None)?;
                let mut result = Ok(());
                parts.each(&mut |name, node| {
                    if result.is_ok() && !matches!(node, Node::Absent) {
                        result = map.serialize_entry(name, &node);
                    }
                });
                result?;
                map.end()
            }
            Self::List(parts) => {
                let mut list = serializer.serialize_seq(None)?;
                let mut result = Ok(());
                parts.each(&mut |_, node| {
                    if result.is_ok() {
                        result = list.serialize_element(&node);
                    }
                });
                result?;
                list.end()
            }
        }
    }
}

fn hex(number: u64) -> [u8; 16] {
    let mut digits = [0; 16];
    for (place, digit) in digits.iter_mut().enumerate() {
        let nibble = (number >> (60 - 4 * place)) as u8 & 15;
        *digit = if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 };
    }
    digits
}

impl Wire for f64 {
    fn node(&self) -> Node<'_> {
        Node::Number(*self)
    }
}

impl Wire for u32 {
    fn node(&self) -> Node<'_> {
        Node::Count(*self)
    }
}

impl Wire for u16 {
    fn node(&self) -> Node<'_> {
        Node::Count(u32::from(*self))
    }
}

impl Wire for bool {
    fn node(&self) -> Node<'_> {
        Node::Flag(*self)
    }
}

impl Wire for Id {
    fn node(&self) -> Node<'_> {
        Node::Id(self)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.node().serialize(serializer)
    }
}

impl Wire for Label {
    fn node(&self) -> Node<'_> {
        Node::Label(self)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn node(&self) -> Node<'_> {
        self.as_ref().map_or(Node::Absent, T::node)
    }
}

impl<T: Wire> Parts for Vec<T> {
    fn each(&self, part: &mut dyn FnMut(&str, Node<'_>)) {
        for value in self {
            part("", value.node());
        }
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn node(&self) -> Node<'_> {
        Node::List(self)
    }
}

/// An enumeration that goes out by the names of its variants.
macro_rules! names {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $wire:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_meta])* $variant),* }

        impl $crate::core::wire::Wire for $name {
            fn node(&self) -> $crate::core::wire::Node<'_> {
                $crate::core::wire::Node::Name(match self { $(Self::$variant => $wire),* })
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::core::wire::Wire::node(self).serialize(serializer)
            }
        }
    };
}

/// A structure that goes out as an object. `by`: how a field is shown if not by its own node.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$field_meta:meta])* $field:ident: $type:ty = $wire:literal $(by $show:ident)?,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::core::wire::Parts for $name {
            fn each(&self, part: &mut dyn FnMut(&str, $crate::core::wire::Node<'_>)) {
                $(part($wire, $crate::core::wire::record!(@node &self.$field $(, $show)?));)*
            }
        }

        impl $crate::core::wire::Wire for $name {
            fn node(&self) -> $crate::core::wire::Node<'_> {
                $crate::core::wire::Node::Object(self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::core::wire::Node::Object(self).serialize(serializer)
            }
        }
    };
    (@node $value:expr) => { $crate::core::wire::Wire::node($value) };
    (@node $value:expr, $show:ident) => { $show($value) };
}

pub(crate) use {names, record};
