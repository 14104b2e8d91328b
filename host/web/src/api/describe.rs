//! Parts of the OpenAPI description that all calls share: the headers that they read and the failures that they return.

use std::collections::BTreeMap;

use utoipa::{
    PartialSchema as _,
    openapi::{
        Components, OpenApi, Ref, RefOr, Required, ResponseBuilder,
        content::ContentBuilder,
        path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem},
        schema::{AdditionalProperties, ArrayItems, Schema},
    },
};

/// Name of the response that describes a failure.
const FAILURE_RESPONSE: &str = "Refusal";

/// Name of the schema of the envelope without a payload. Calls that declare failures of their own register it.
const ENVELOPE: &str = "Envelope_Value";

/// Headers and parameters that every call accepts: name, place, description.
const COMMON_PARAMETERS: [(&str, ParameterIn, &str); 5] = [
    (
        "language",
        ParameterIn::Header,
        "Language of the response; a language that the site does not have falls back to the site's default",
    ),
    (
        "token",
        ParameterIn::Header,
        "Session of a signed-in reader: the value of the cookie `mh_session` (over https `__Host-mh_session`)",
    ),
    ("siteId", ParameterIn::Header, "Id of the site; needed if the host names no site"),
    ("captcha", ParameterIn::Header, "Solution of a captcha; accepted by every call"),
    ("timestamps", ParameterIn::Query, "Time stamp that prevents caching; otherwise ignored"),
];

/// Failures that every call can return. `default` stands for those raised before a handler runs (405, 413, 414, 415,
/// 429, 504).
const FAILURES: [&str; 6] = ["400", "403", "404", "500", "503", "default"];

/// A reference to the response that describes a failure.
pub fn failure() -> RefOr<utoipa::openapi::Response> {
    RefOr::Ref(Ref::from_response_name(FAILURE_RESPONSE))
}

/// Adds to every call of the document what all calls share.
pub fn complete(document: &mut OpenApi) {
    let components = document.components.get_or_insert_with(Components::new);
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(ENVELOPE))).build();
    let failure = ResponseBuilder::new()
        .description("A failure: `status` is not 0, `data` is null, `message` is a text for the reader.")
        .content("application/json", body)
        .build();
    components.responses.insert(FAILURE_RESPONSE.to_owned(), failure.into());
    components.schemas.values_mut().for_each(allow_additional);
    components.parameters =
        COMMON_PARAMETERS.into_iter().map(|(name, place, about)| parameter(name, place, about)).collect();
    for (path, item) in &mut document.paths.paths {
        if path.starts_with("/rc-pub/") {
            operations(item).for_each(common);
        }
    }
}

/// Removes `additionalProperties: false` from a schema. Types that are parsed strictly from files are combined with
/// further fields in responses.
fn allow_additional(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            if matches!(object.additional_properties.as_deref(), Some(AdditionalProperties::FreeForm(false))) {
                object.additional_properties = None;
            }
            object.properties.values_mut().for_each(allow_additional);
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                allow_additional(items);
            }
        }
        Schema::OneOf(some) => some.items.iter_mut().for_each(allow_additional),
        Schema::AllOf(some) => some.items.iter_mut().for_each(allow_additional),
        Schema::AnyOf(some) => some.items.iter_mut().for_each(allow_additional),
        _ => {}
    }
}

fn parameter(name: &str, place: ParameterIn, about: &str) -> (String, RefOr<Parameter>) {
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(Required::False)
        .description(Some(about))
        .schema(Some(String::schema()))
        .build();
    (name.to_owned(), parameter.into())
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete].into_iter().flatten()
}

fn common(operation: &mut Operation) {
    let own = operation.parameters.get_or_insert_default();
    own.extend(
        COMMON_PARAMETERS.iter().map(|(name, ..)| RefOr::Ref(Ref::new(format!("#/components/parameters/{name}")))),
    );
    let answers: &mut BTreeMap<_, _> = &mut operation.responses.responses;
    for status in FAILURES {
        answers.entry(status.to_owned()).or_insert_with(failure);
    }
}
