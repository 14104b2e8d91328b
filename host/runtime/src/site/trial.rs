//! The trial of a plugin before it is used: wrong types are detected in an instance only, and wrong settings usually in a call
//! only.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use masthead_domain::Lang;

use super::shared::SharedState;
use crate::{
    contract::{
        bindings::masthead::plugin::types::Context,
        failure::FailureCause,
        hook_table::{HOOKS, HookSpec},
    },
    invocation::{
        hooks::{
            binding::{HookEntry, Refusal},
            entries::{TableEntry, by_hook},
        },
        memory_limiter::RequestBudget,
        site_context::SiteContext,
        store_state::RequestScope,
    },
    plugin::{instance::PluginInstance, loaded::Plugin},
};

/// Limit on the wall-clock time of a trial.
const TRIAL_TIMEOUT: Duration = Duration::from_secs(10);

/// Runs every hook of a plugin in one instance, which writes nothing and sends no HTTP request.
pub(crate) async fn try_out(shared: &SharedState, plugin: &Arc<Plugin>, site: &Arc<SiteContext>) -> Result<(), String> {
    let implemented: Vec<&HookSpec> = HOOKS.iter().filter(|spec| plugin.has_hook(spec.hook)).collect();
    let Some(first) = implemented.first() else { return Err("it implements no hook".to_owned()) };
    let _permit = shared.trials.acquire().await.map_err(|_| "the host is shutting down".to_owned())?;
    let context = Context {
        site_id: site.site_id.0,
        sld: site.name.to_string(),
        lang: "en".to_owned(),
        route: String::new(),
        address: format!("https://{}.example.org/en", site.name),
    };
    let budget = Arc::new(RequestBudget::new(shared.config.memory_per_request, 0, &shared.memory));
    let deadline = Instant::now() + TRIAL_TIMEOUT;
    let request = RequestScope { lang: Lang::En, deadline, shadow: true, recording: None, budget };
    let work = async {
        let instance = PluginInstance::start(plugin, site, &request, first.hook).await;
        let mut instance = instance.map_err(|cause| cause.to_string())?;
        for spec in &implemented {
            let tried = by_hook!(spec.hook, |E| try_hook::<E>(&mut instance, &context, site).await);
            tried.map_err(|cause| format!("its trial call of {} failed: {cause}", spec.name))?;
        }
        Ok(())
    };
    let timed_out = || Err(format!("its trial took longer than {TRIAL_TIMEOUT:?}"));
    tokio::time::timeout(TRIAL_TIMEOUT, work).await.unwrap_or_else(|_| timed_out())
}

/// Checks the types of a hook, and calls it with its trial input if it has one.
async fn try_hook<E: TableEntry>(
    instance: &mut PluginInstance,
    context: &Context,
    site: &SiteContext,
) -> Result<(), FailureCause> {
    let Some(input) = <E as HookEntry>::trial_input() else { return instance.check_types::<E>() };
    match instance.call::<E>(context, &input, Instant::now()).await? {
        Ok(output) => E::check(site, &input, &output).map_err(FailureCause::InvalidResult),
        Err(refusal) => refusal.message().map_or(Ok(()), |message| Err(FailureCause::Refused(message))),
    }
}
