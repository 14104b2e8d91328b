//! Plugins that talk to other servers, tested against local servers that speak the gateways' protocols.

mod answers;
mod assistant;
mod identity;
mod messages;
mod translation;
