//! The callers of administrators' calls: the bearer of a token, or an administrator who is signed in. Both have roles, each on a site or on
//! the installation.

use jiff::Timestamp;
use masthead_domain::{
    SiteId,
    member::{AdministratorId, Role, RoleScope},
};

use super::admin_tokens::{self, AdminToken, Sites};

/// The caller of administrators' calls: an administrator or a token, with roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The name of the token, or the e-mail address of the administrator: the audit trail has it.
    pub name: String,
    /// The administrator; `None` for a token.
    pub administrator: Option<AdministratorId>,
    roles: Vec<(RoleScope, Role)>,
    /// The end of a token that has one.
    expires: Option<Timestamp>,
}

/// The roles of the bearer of a token. A token for all sites with the role admin is a platform administrator's, one for some sites that of an
/// administrator of these.
#[must_use]
pub fn roles_of_token(role: admin_tokens::Role, sites: &Sites) -> Vec<(RoleScope, Role)> {
    match (sites, role) {
        (Sites::All, admin_tokens::Role::Admin) => vec![(RoleScope::Installation, Role::PlatformAdministrator)],
        (Sites::All, admin_tokens::Role::Editor) => vec![(RoleScope::Installation, Role::Editor)],
        (Sites::Only(sites), role) => {
            let role = match role {
                admin_tokens::Role::Admin => Role::SiteAdministrator,
                admin_tokens::Role::Editor => Role::Editor,
            };
            sites.iter().map(|site| (RoleScope::Site(*site), role)).collect()
        }
    }
}

impl Principal {
    /// The bearer of a token, with [`roles_of_token`].
    #[must_use]
    pub fn of_token(token: &AdminToken) -> Self {
        let roles = roles_of_token(token.role, &token.sites);
        Self { name: token.name.clone(), administrator: None, roles, expires: token.expires }
    }

    /// An administrator who is signed in.
    #[must_use]
    pub const fn of_administrator(id: AdministratorId, name: String, roles: Vec<(RoleScope, Role)>) -> Self {
        Self { name, administrator: Some(id), roles, expires: None }
    }

    /// The highest role on a site. One on the installation holds on every site.
    #[must_use]
    pub fn role_on(&self, site: SiteId) -> Option<Role> {
        self.roles.iter().filter(|(scope, _)| scope.has(site)).map(|(_, role)| *role).max()
    }

    /// The role on the installation.
    #[must_use]
    pub fn role_on_installation(&self) -> Option<Role> {
        self.roles.iter().filter(|(scope, _)| *scope == RoleScope::Installation).map(|(_, role)| *role).max()
    }

    /// The roles.
    #[must_use]
    pub fn roles(&self) -> &[(RoleScope, Role)] {
        &self.roles
    }

    /// Whether the principal may give a role, or take it away: none may give more than it has, and only a platform administrator may give
    /// roles on the installation.
    #[must_use]
    pub fn may_give(&self, scope: RoleScope, role: Role) -> bool {
        let own = match scope {
            RoleScope::Installation => self.role_on_installation().filter(|own| *own == Role::PlatformAdministrator),
            RoleScope::Site(site) => self.role_on(site).filter(|own| *own >= Role::SiteAdministrator),
        };
        // A platform administrator of a single site does not exist.
        let exists = role != Role::PlatformAdministrator || scope == RoleScope::Installation;
        exists && own.is_some_and(|own| role <= own)
    }

    /// Whether the principal may make a token with this end. A token makes none that outlives it: whoever has got hold of one for a day
    /// must not keep its permissions for longer.
    #[must_use]
    pub fn may_last_until(&self, end: Option<Timestamp>) -> bool {
        self.expires.is_none_or(|own| end.is_some_and(|end| end <= own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: SiteId = SiteId(7);
    const THERE: SiteId = SiteId(8);

    fn with(roles: &[(RoleScope, Role)]) -> Principal {
        Principal::of_administrator(AdministratorId(1), "a@example.org".to_owned(), roles.to_vec())
    }

    #[test]
    fn a_token_makes_none_that_outlives_it() {
        let [early, late] = [1_000, 2_000].map(|second| Timestamp::from_second(second).ok());
        let principal = |expires| Principal { expires, ..with(&[]) };
        for (own, end, expected) in [
            (None, None, true),
            (None, late, true),
            (late, None, false),
            (late, late, true),
            (late, early, true),
            (early, late, false),
        ] {
            assert_eq!(principal(own).may_last_until(end), expected, "{own:?} {end:?}");
        }
    }

    #[test]
    fn the_highest_role_that_holds_on_a_site_counts() {
        let both = with(&[(RoleScope::Site(HERE), Role::Editor), (RoleScope::Installation, Role::Reader)]);
        assert_eq!((both.role_on(HERE), both.role_on(THERE)), (Some(Role::Editor), Some(Role::Reader)));
        assert_eq!(both.role_on_installation(), Some(Role::Reader));
        let one = with(&[(RoleScope::Site(HERE), Role::SiteAdministrator)]);
        assert_eq!((one.role_on(THERE), one.role_on_installation()), (None, None));
    }

    #[test]
    fn nobody_gives_more_than_they_have() {
        let platform = with(&[(RoleScope::Installation, Role::PlatformAdministrator)]);
        let manager = with(&[(RoleScope::Site(HERE), Role::SiteAdministrator)]);
        let editor = with(&[(RoleScope::Installation, Role::Editor), (RoleScope::Site(HERE), Role::Editor)]);
        for (scope, role, expected) in [
            (RoleScope::Site(HERE), Role::Reader, [true, true, false]),
            (RoleScope::Site(HERE), Role::Editor, [true, true, false]),
            (RoleScope::Site(HERE), Role::SiteAdministrator, [true, true, false]),
            (RoleScope::Site(HERE), Role::PlatformAdministrator, [false, false, false]),
            (RoleScope::Site(THERE), Role::Reader, [true, false, false]),
            (RoleScope::Installation, Role::Reader, [true, false, false]),
            (RoleScope::Installation, Role::PlatformAdministrator, [true, false, false]),
        ] {
            assert_eq!(
                [&platform, &manager, &editor].map(|one| one.may_give(scope, role)),
                expected,
                "{scope:?} {role:?}"
            );
        }
    }
}
