//! Plugins that talk to other servers, against servers of the test's own which speak the gateways' protocols.

mod answers;
mod assistant;
mod identity;
mod messages;
mod translation;
