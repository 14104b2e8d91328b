//! Components made from WIT and WAT, in forms that no SDK produces.

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// Wraps a core module into a component of the (only) world of this WIT.
pub fn component(wit: &str, core: &str) -> Vec<u8> {
    let mut resolve = Resolve::default();
    let package = resolve.push_str("handmade.wit", wit).unwrap();
    let world = resolve.select_world(&[package], None).unwrap();
    let mut module = wat::parse_str(core).unwrap();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default().module(&module).unwrap().validate(true).encode().unwrap()
}

/// The hook `layout.contribute` of the contract; `body` may use local 6, the length of the route's name.
pub fn layout(globals: &str, body: &str) -> Vec<u8> {
    let core = format!(
        "(module
            (memory (export \"memory\") 1)
            (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) i32.const 1024)
            {globals}
            (func (export \"masthead:plugin/layout@0.1.0#contribute\")
                (param i64 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
                {body}
                i32.const 16))"
    );
    component(&layout_wit("func(context: context) -> result<list<contribution>, string>"), &core)
}

/// A world that exports `layout` with this type of `contribute`.
pub fn layout_wit(kind: &str) -> String {
    format!(
        "package masthead:plugin@0.1.0;
        interface types {{ record context {{ site-id: s64, sld: string, lang: string, route: string, address: string }} }}
        interface layout {{
            use types.{{context}};
            record contribution {{ slot: string, module: string, props: string }}
            contribute: {kind};
        }}
        world guest {{ export layout; }}"
    )
}

/// A manifest for `layout.contribute` without capabilities.
pub fn manifest(id: &str) -> String {
    format!(
        "id = \"{id}\"\nversion = \"0.1.0\"\ncontract = \"0.1\"\nhooks = [\"layout.contribute\"]\nname = {{ en = \"{id}\" }}\n"
    )
}
