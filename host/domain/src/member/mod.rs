//! Members of a site and administrators: who they are, what they own, what is sent to them. What a member is called when signing in stands in
//! [`MemberName`].

mod items;
mod messages;
mod names;
mod profile;
mod roles;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use items::{ItemRef, ItemType, ListedItem, Use};
pub use messages::{Channel, CodePurpose, SubscriptionType};
pub use names::{MemberName, NameKind, NotAName, folded, masked};
pub use profile::{Gender, MemberState, Profile};
pub use roles::{Role, RoleScope};

/// The number of a member, unique on the installation. Positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemberId(pub i64);

impl fmt::Display for MemberId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of an administrator. Positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AdministratorId(pub i64);

impl fmt::Display for AdministratorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Declares an enum whose values have names in calls and in the store.
macro_rules! named {
    ($(#[$meta:meta])* $type:ident { $($(#[$value_meta:meta])* $value:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $type {
            $($(#[$value_meta])* #[serde(rename = $name)] $value,)*
        }

        impl $type {
            /// All values.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];

            /// The name in calls and in the store.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)*
                }
            }

            /// The value with this name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }
    };
}
use named;

#[cfg(test)]
mod tests {
    use super::{Channel, CodePurpose, Gender, MemberState, NameKind, Role, SubscriptionType, Use};

    #[test]
    fn values_are_parsed_from_their_names() {
        macro_rules! check {
            ($($type:ident),*) => {$(
                for value in $type::ALL {
                    assert_eq!($type::parse(value.as_str()), Some(value));
                    assert_eq!(serde_json::to_value(value).ok(), Some(serde_json::Value::from(value.as_str())));
                }
                assert_eq!($type::parse("another"), None);
            )*};
        }
        check!(Channel, CodePurpose, Gender, MemberState, NameKind, Role, SubscriptionType, Use);
    }
}
