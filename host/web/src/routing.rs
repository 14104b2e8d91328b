//! Routes whose handlers have one type.
//!
//! axum wraps each handler in layers whose types contain the type of the handler, and the compiler proves for each layer that the handler's
//! future may be sent between threads: that is a walk through all futures below it, down to the store. Here a handler is put behind a
//! pointer before axum sees it, and the layers are compiled once. That takes a third off the time that this crate takes to compile, for one
//! indirect call a request. `clippy.toml` keeps this crate from axum's own functions.

use std::{pin::Pin, sync::Arc};

use axum::{
    extract::Request,
    handler::Handler,
    response::Response,
    routing::{self, MethodFilter, MethodRouter},
};

/// What axum's handlers return.
type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler without its own type, for requests with the state `S`.
pub struct ErasedHandler<S>(Arc<dyn Fn(Request, S) -> Answer + Send + Sync>);

// Derived, it would ask for `S: Clone`.
impl<S> Clone for ErasedHandler<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: 'static> Handler<(), S> for ErasedHandler<S> {
    type Future = Answer;

    fn call(self, request: Request, state: S) -> Answer {
        (self.0)(request, state)
    }
}

/// Puts a handler behind a pointer. `T` are its extractors.
pub fn erased<H, T, S: 'static>(handler: H) -> ErasedHandler<S>
where
    H: Handler<T, S, Future = Answer>,
{
    ErasedHandler(Arc::new(move |request, state| handler.clone().call(request, state)))
}

/// A route for GET and HEAD.
pub fn get<H, T, S: Clone + Send + Sync + 'static>(handler: H) -> MethodRouter<S>
where
    H: Handler<T, S, Future = Answer>,
{
    routing::on(MethodFilter::GET, erased(handler))
}

/// A route for POST.
pub fn post<H, T, S: Clone + Send + Sync + 'static>(handler: H) -> MethodRouter<S>
where
    H: Handler<T, S, Future = Answer>,
{
    routing::on(MethodFilter::POST, erased(handler))
}

/// A route for all methods.
#[expect(clippy::disallowed_methods, reason = "the handler is erased")]
pub fn any<H, T, S: Clone + Send + Sync + 'static>(handler: H) -> MethodRouter<S>
where
    H: Handler<T, S, Future = Answer>,
{
    routing::any(erased(handler))
}

/// `utoipa_axum::routes!` with erased handlers: the schemas, paths and route of one or more calls at one address.
///
/// The rule `@resolve_types` is that macro's own, and not part of its documented interface: the name of what `#[utoipa::path]` wrote
/// for a handler can only be put together there.
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut schemas = Vec::<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>::new();
        let mut paths = utoipa::openapi::path::Paths::new();
        let mut router = axum::routing::MethodRouter::new();
        $(
            let (path, operation, methods) = utoipa_axum::routes!(@resolve_types $handler : schemas);
            for method in &methods {
                router = router.on(method.to_method_filter(), $crate::routing::erased($handler));
            }
            paths.add_path_operation(&path, methods, operation);
        )+
        (schemas, paths, router)
    }};
}

pub(crate) use routes;
