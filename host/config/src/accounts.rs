//! What is wrong with the accounts of a site: times and numbers that no sign-in can keep to, and an agreement that leads nowhere.

use masthead_domain::site::{Accounts, SessionTimes, Site};

use crate::{Fault, home};

/// The faults of `[accounts]`.
pub(crate) fn faults(site: &Site) -> Vec<Fault> {
    let Accounts { agreement, password_months, captcha_after, sessions, .. } = &site.accounts;
    let mut faults = Vec::new();
    for (key, value, least, most) in [
        ("accounts.passwordMonths", *password_months, 0, Accounts::MAX_PASSWORD_MONTHS),
        ("accounts.captchaAfter", *captcha_after, 0, Accounts::MAX_CAPTCHA_AFTER),
        ("accounts.sessions.idleMinutes", sessions.idle_minutes, 1, SessionTimes::MAX_HOURS * 60),
        ("accounts.sessions.maxHours", sessions.max_hours, 1, SessionTimes::MAX_HOURS),
    ] {
        if !(least..=most).contains(&value) {
            let message = format!("{key} is {value}, and {least} to {most} are allowed");
            faults.push(Fault::new(key, message, "write a number between these"));
        }
    }
    if !home::leads_somewhere(agreement) {
        let key = "accounts.agreement";
        let message = format!("{key} {agreement:?} is neither an address of the web nor a path behind the language");
        faults.push(Fault::new(key, message, "write https://..., or a path such as aboutus/12"));
    }
    faults
}
