//! Adapters keep components of older contracts usable: if the types of a hook changed with a new minor version of the contract,
//! components of the previous version are called through an adapter. The table of hooks then has `Adapted<Now, Before, A>` as the
//! hook's entry; nothing else changes.
//!
//! Contract 0.1 is the first version, so nothing uses an adapter yet; the tests define a fictitious 0.2.
#![cfg_attr(not(test), allow(dead_code, reason = "used by the first minor after 0.1"))]

use std::marker::PhantomData;

use wasmtime::{
    Store,
    component::{Instance, InstancePre},
};

use super::binding::Binding;
use crate::{contract::bindings::masthead::plugin::types::Context, invocation::store_state::StoreState};

/// Converts the types of a hook to those of the older version and back.
pub(crate) trait Adapter<Now: Binding, Before: Binding>: Send + Sync + 'static {
    /// The input in the older types.
    fn down(input: &Now::Input) -> Before::Input;
    /// The output in the newer types; fields that the older output lacks are taken from the input.
    fn up(output: Before::Output, input: &Now::Input) -> Now::Output;
    /// The refusal in the newer types.
    fn refusal(refusal: Before::Refusal) -> Now::Refusal;
}

/// A hook in two versions. The newer one is looked up first.
pub(crate) struct Adapted<Now, Before, A>(PhantomData<(Now, Before, A)>);

/// The data for the version that a component implements.
pub(crate) enum Implemented<Now, Before> {
    /// The newer one.
    Now(Now),
    /// The one before.
    Before(Before),
}

impl<Now: Binding, Before: Binding, A: Adapter<Now, Before>> Binding for Adapted<Now, Before, A> {
    type Indices = Implemented<Now::Indices, Before::Indices>;
    type Guest = Implemented<Now::Guest, Before::Guest>;
    type Input = Now::Input;
    type Output = Now::Output;
    type Refusal = Now::Refusal;

    fn find(pre: &InstancePre<StoreState>) -> wasmtime::Result<Self::Indices> {
        // The error about the newer version is reported, because authors build for it.
        Now::find(pre)
            .map(Implemented::Now)
            .or_else(|error| Before::find(pre).map(Implemented::Before).map_err(|_| error))
    }

    fn load(
        indices: &Self::Indices,
        store: &mut Store<StoreState>,
        instance: &Instance,
    ) -> wasmtime::Result<Self::Guest> {
        Ok(match indices {
            Implemented::Now(indices) => Implemented::Now(Now::load(indices, store, instance)?),
            Implemented::Before(indices) => Implemented::Before(Before::load(indices, store, instance)?),
        })
    }

    async fn call(
        guest: &Self::Guest,
        store: &mut Store<StoreState>,
        context: &Context,
        input: &Self::Input,
    ) -> wasmtime::Result<Result<Self::Output, Self::Refusal>> {
        match guest {
            Implemented::Now(guest) => Now::call(guest, store, context, input).await,
            Implemented::Before(guest) => {
                let answer = Before::call(guest, store, context, &A::down(input)).await?;
                Ok(answer.map(|output| A::up(output, input)).map_err(A::refusal))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    //! A fictitious contract 0.2, in which a link has a title and a refusal is a code.

    use std::{
        path::Path,
        sync::Arc,
        time::{Duration, Instant},
    };

    use masthead_domain::{Lang, SiteId};
    use wasmtime::component::{Component, Linker};

    use super::*;
    use crate::{
        Catalog, HostServices, Runtime, RuntimeConfig,
        contract::{bindings::exports::masthead::plugin::links as before, hook_table::Hook},
        invocation::{
            hooks::{binding::Refusal, links},
            memory_limiter::RequestBudget,
            store_state::RequestScope,
        },
        site::chain::Chain,
    };
    use masthead_domain::plugin_use::PluginUse;

    mod next {
        wasmtime::component::bindgen!({
            inline: "
                package masthead:plugin@0.2.0;
                interface links {
                    record link { path: string, query: list<tuple<string, string>>, title: string }
                    enum refusal { not-mine, broken }
                    rewrite: func(lang: string, links: list<link>) -> result<list<link>, refusal>;
                }
                world next { export links; }",
            world: "next",
            exports: { default: async },
            additional_derives: [PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize],
        });
    }
    use next::exports::masthead::plugin::links as now;

    impl Refusal for now::Refusal {
        fn message(&self) -> Option<String> {
            Some(format!("{self:?}"))
        }
    }

    struct Next;

    impl Binding for Next {
        type Indices = now::GuestIndices;
        type Guest = now::Guest;
        type Input = Vec<now::Link>;
        type Output = Vec<now::Link>;
        type Refusal = now::Refusal;

        fn find(pre: &InstancePre<StoreState>) -> wasmtime::Result<Self::Indices> {
            now::GuestIndices::new(pre)
        }
        fn load(
            indices: &Self::Indices,
            store: &mut Store<StoreState>,
            instance: &Instance,
        ) -> wasmtime::Result<now::Guest> {
            indices.load(store, instance)
        }
        async fn call(
            guest: &now::Guest,
            store: &mut Store<StoreState>,
            context: &Context,
            input: &Self::Input,
        ) -> wasmtime::Result<Result<Self::Output, now::Refusal>> {
            guest.call_rewrite(store, &context.lang, input).await
        }
    }

    struct Titles;

    impl Adapter<Next, links::Entry> for Titles {
        fn down(input: &Vec<now::Link>) -> Vec<before::Link> {
            let link = |link: &now::Link| before::Link {
                kind: before::LinkKind::ResultArticle,
                path: link.path.clone(),
                query: link.query.clone(),
            };
            input.iter().map(link).collect()
        }
        fn up(output: Vec<before::Link>, input: &Vec<now::Link>) -> Vec<now::Link> {
            let link = |(link, given): (before::Link, &now::Link)| now::Link {
                path: link.path,
                query: link.query,
                title: given.title.clone(),
            };
            output.into_iter().zip(input).map(link).collect()
        }
        fn refusal(_: String) -> now::Refusal {
            now::Refusal::Broken
        }
    }

    type Entry = Adapted<Next, links::Entry, Titles>;

    fn frozen() -> (String, Vec<u8>) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin-sdk/frozen/0.1/links");
        (
            std::fs::read_to_string(folder.join("plugin.toml")).unwrap(),
            std::fs::read(folder.join("plugin.wasm")).unwrap(),
        )
    }

    /// A component of contract 0.2 that returns the links unchanged (list and result have the same layout in memory).
    fn of_next_minor() -> Vec<u8> {
        let wit = "package masthead:plugin@0.2.0;
            interface links {
                record link { path: string, query: list<tuple<string, string>>, title: string }
                enum refusal { not-mine, broken }
                rewrite: func(lang: string, links: list<link>) -> result<list<link>, refusal>;
            }
            world next { export links; }";
        let core = "(module
            (memory (export \"memory\") 1)
            (global $next (mut i32) (i32.const 1024))
            (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32)
                (local $at i32)
                (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
                (global.set $next (i32.add (local.get $at) (local.get 3)))
                (local.get $at))
            (func (export \"masthead:plugin/links@0.2.0#rewrite\") (param i32 i32 i32 i32) (result i32)
                (i32.store8 (i32.const 16) (i32.const 0))
                (i32.store (i32.const 20) (local.get 2))
                (i32.store (i32.const 24) (local.get 3))
                i32.const 16))";
        let mut resolve = wit_parser::Resolve::default();
        let package = resolve.push_str("next.wit", wit).unwrap();
        let world = resolve.select_world(&[package], None).unwrap();
        let mut module = wat::parse_str(core).unwrap();
        let encoding = wit_component::StringEncoding::UTF8;
        wit_component::embed_component_metadata(&mut module, &resolve, world, encoding).unwrap();
        wit_component::ComponentEncoder::default().module(&module).unwrap().encode().unwrap()
    }

    async fn chain(runtime: &Runtime) -> Chain {
        let (manifest, wasm) = frozen();
        let mut catalog = Catalog::new();
        catalog.insert(runtime.load_plugin(&manifest, &wasm).unwrap());
        let usage = PluginUse {
            id: "my-plugin".into(),
            version: "*".into(),
            settings: serde_json::json!({ "from": "x" }),
            ..PluginUse::default()
        };
        let chain = runtime.build_chain((SiteId(1), "test"), &catalog, &[usage], None).await;
        assert_eq!(chain.problems(), []);
        chain
    }

    async fn rewrite(runtime: &Runtime, pre: &InstancePre<StoreState>) -> Result<Vec<now::Link>, now::Refusal> {
        let chain = chain(runtime).await;
        let member = &chain.0.slots[0].current;
        let budget = Arc::new(RequestBudget::new(chain.0.config.memory_per_request, 0, &chain.0.memory));
        let deadline = Instant::now() + Duration::from_secs(30);
        let scope = RequestScope { lang: Lang::En, deadline, shadow: true, recording: None, budget };
        let mut store = Store::new(runtime.engine(), StoreState::new(&member.context, &scope, Hook::Links));
        store.set_epoch_deadline(1_000_000);
        let indices = Entry::find(pre).unwrap();
        let instance = pre.instantiate_async(&mut store).await.unwrap();
        let guest = Entry::load(&indices, &mut store, &instance).unwrap();
        let context = Context {
            site_id: 1,
            sld: "test".into(),
            lang: "en".into(),
            route: "results".into(),
            address: "https://test.example.org/en".into(),
        };
        let link = now::Link { path: "article/17".into(), query: vec![], title: "Tides".into() };
        Entry::call(&guest, &mut store, &context, &vec![link]).await.unwrap()
    }

    #[tokio::test]
    async fn the_frozen_component_works_in_a_host_of_the_next_minor() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = Runtime::new(RuntimeConfig::new(folder.path().join("code")), HostServices::standalone()).unwrap();
        let (manifest, wasm) = frozen();
        let old = runtime.load_plugin(&manifest, &wasm).unwrap();
        let [link] = &rewrite(&runtime, &old.pre).await.unwrap()[..] else { unreachable!("one link came in") };
        assert_eq!(link.query, [("from".to_owned(), "x".to_owned())], "the old component did its work");
        assert_eq!((link.path.as_str(), link.title.as_str()), ("article/17", "Tides"), "what it does not know is kept");
    }

    #[tokio::test]
    async fn a_component_of_the_next_minor_is_called_without_an_adapter() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = Runtime::new(RuntimeConfig::new(folder.path().join("code")), HostServices::standalone()).unwrap();
        let component = Component::new(runtime.engine(), of_next_minor()).unwrap();
        let pre = Linker::new(runtime.engine()).instantiate_pre(&component).unwrap();
        let [link] = &rewrite(&runtime, &pre).await.unwrap()[..] else { unreachable!("one link came in") };
        assert_eq!((link.query.len(), link.title.as_str()), (0, "Tides"));
    }
}
