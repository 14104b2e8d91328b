//! Compares a canary with the version in use: one serves the request, the other gets the same call in the background, and the
//! differences are reported.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde::Serialize;

use super::{
    canary_report::{CanaryMember, Difference},
    chain::ChainInner,
    member::Member,
};
use crate::{
    contract::{bindings::masthead::plugin::types::Context, failure::FailureCause, hook_table::Shape},
    invocation::{
        hooks::{entries::TableEntry, result::HookResult},
        memory_limiter::RequestBudget,
        store_state::RequestScope,
    },
    plugin::instance::PluginInstance,
};

/// Characters of an input or output in the report.
const REPORTED_CHARS: usize = 2000;
/// Time that a comparison may take beyond its budgets.
const COMPARISON_GRACE: Duration = Duration::from_secs(1);

/// Repeats a call in the background with the version that did not serve it: the instance writes nothing, sends no HTTP request, and
/// no reader waits for it. Hooks with side effects are not compared.
pub(crate) fn compare<E: TableEntry>(
    chain: &Arc<ChainInner>,
    canary: &CanaryMember,
    other: &Arc<Member>,
    other_is_current: bool,
    (context, scope): (&Context, &RequestScope),
    input: &E::Input,
    result: &HookResult<E>,
) {
    let page_hook = matches!(E::HOOK.spec().shape, Shape::Chain | Shape::Collect);
    if !page_hook || scope.recording.is_some() {
        return;
    }
    if matches!(result, HookResult::NotImplemented) && !other.plugin.has_hook(E::HOOK) {
        return;
    }
    let Ok(permit) = Arc::clone(&chain.comparisons).try_acquire_owned() else {
        canary.report.count_skipped();
        return;
    };
    // Done with a permit only, because writing the links of a page as JSON takes time.
    let answered = match result {
        HookResult::Output(output) => to_json(output),
        HookResult::Refused(refusal) => format!("refused: {}", to_json(refusal)),
        HookResult::Failed => "failed".to_owned(),
        HookResult::NotImplemented => "(no such hook)".to_owned(),
    };
    let (chain, other, report) = (Arc::clone(chain), Arc::clone(other), Arc::clone(&canary.report));
    let budget = Arc::new(RequestBudget::new(chain.config.memory_per_request, 0, &chain.memory));
    let wait = other.context.wait(E::HOOK) + chain.config.grace + COMPARISON_GRACE;
    let scope = RequestScope { deadline: Instant::now() + wait, shadow: true, budget, ..scope.clone() };
    let (context, input) = (context.clone(), input.clone());
    tokio::spawn(async move {
        let _permit = permit;
        let compared_output =
            match tokio::time::timeout(wait, shadow::<E>(&chain, &other, &context, &scope, &input)).await {
                Ok(Ok(output)) => output,
                Ok(Err(FailureCause::InstancesBusy)) | Err(_) => {
                    report.count_skipped();
                    return;
                }
                Ok(Err(cause)) => {
                    if !other_is_current {
                        report.count_failed();
                    }
                    format!("failed: {cause}")
                }
            };
        report.count_compared();
        if compared_output != answered {
            let (current, canary) =
                if other_is_current { (compared_output, answered) } else { (answered, compared_output) };
            let difference = Difference {
                hook: E::HOOK.name().to_owned(),
                input: truncate(&to_json(&input)),
                current: truncate(&current),
                canary: truncate(&canary),
            };
            report.add_difference(difference);
        }
    });
}

async fn shadow<E: TableEntry>(
    chain: &ChainInner,
    member: &Arc<Member>,
    context: &Context,
    scope: &RequestScope,
    input: &E::Input,
) -> Result<String, FailureCause> {
    if !member.plugin.has_hook(E::HOOK) {
        return Ok("(no such hook)".to_owned());
    }
    let _permit = chain.instances.of(E::HOOK.class()).acquire().await.map_err(|_| FailureCause::InstancesBusy)?;
    let started = Instant::now();
    let mut instance = PluginInstance::start(&member.plugin, &member.context, scope, E::HOOK).await?;
    Ok(match instance.call::<E>(context, input, started).await? {
        Ok(output) => {
            E::check(&member.context, input, &output).map_err(FailureCause::InvalidResult)?;
            member.metrics.succeeded(E::HOOK, started.elapsed(), instance.memory());
            to_json(&output)
        }
        Err(refusal) => format!("refused: {}", to_json(&refusal)),
    })
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| error.to_string())
}

fn truncate(text: &str) -> String {
    text.chars().take(REPORTED_CHARS).collect()
}
