//! Conversion from types of the domain to types of the API.

/// A type that is created from a value of the domain by moving its fields.
///
/// This is `From` for lists and options too, which `From` of the standard library does not convert element by element.
pub trait FromDomain<T>: Sized {
    /// The value in the form in which the API sends it.
    fn from_domain(value: T) -> Self;
}

impl<T, S: FromDomain<T>> FromDomain<Vec<T>> for Vec<S> {
    fn from_domain(value: Vec<T>) -> Self {
        value.into_iter().map(S::from_domain).collect()
    }
}

impl<T, S: FromDomain<T>> FromDomain<Option<T>> for Option<S> {
    fn from_domain(value: Option<T>) -> Self {
        value.map(S::from_domain)
    }
}

impl<T, S: FromDomain<T>> FromDomain<Box<T>> for Box<S> {
    fn from_domain(value: Box<T>) -> Self {
        Self::new(S::from_domain(*value))
    }
}

macro_rules! unchanged_in_the_api {
    ($($type:ty),*) => {
        $(impl FromDomain<$type> for $type {
            fn from_domain(value: $type) -> Self {
                value
            }
        })*
    };
}

unchanged_in_the_api!(String, (String, String), bool, u8, u16, i32, u32, i64, u64, usize);

/// Declares a type of the API, and its conversion from the type of the domain behind `of`: the same fields or variants, in the same order.
/// A field or variant that the domain gains or loses is an error here at compile time. A variant with a content of its own names it
/// (`Fig(value: Box<Fig>)`).
///
/// The attribute `serde(default)` stands here for the OpenAPI document alone: it makes fields optional there, and gives their defaults.
macro_rules! schema {
    (
        $(#[$meta:meta])*
        pub struct $name:ident of $source:ty {
            $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $crate::schema::conversion::FromDomain<$source> for $name {
            fn from_domain(value: $source) -> Self {
                type Source = $source;
                let Source { $($field,)* } = value;
                Self { $($field: $crate::schema::conversion::FromDomain::from_domain($field),)* }
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub enum $name:ident of $source:ty {
            $($(#[$variant_meta:meta])* $variant:ident
                $({ $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })?
                $(($value:ident: $content:ty))?,)*
        }
    ) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$variant_meta])* $variant
                $({ $($(#[$field_meta])* $field: $type,)* })?
                $(($content))?,)*
        }

        impl $crate::schema::conversion::FromDomain<$source> for $name {
            fn from_domain(value: $source) -> Self {
                type Source = $source;
                match value {
                    $(Source::$variant $({ $($field,)* })? $(($value))? => Self::$variant
                        $({ $($field: $crate::schema::conversion::FromDomain::from_domain($field),)* })?
                        $(($crate::schema::conversion::FromDomain::from_domain($value)))?,)*
                }
            }
        }
    };
}
pub(crate) use schema;
