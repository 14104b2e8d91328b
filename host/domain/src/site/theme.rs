//! Theme presets (specification section 3: Theme color).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A theme preset (specification "Theme color").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ThemeColor {
    /// 1 to 11.
    pub color_id: u8,
    /// A name for administrators.
    pub name: String,
    /// Colours on light paper.
    pub light: ThemeTokens,
    /// Colours on dark paper.
    pub dark: ThemeTokens,
}

/// The colours of one preset, `#rrggbb`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ThemeTokens {
    /// Links, headings, buttons.
    pub theme_color_primary: String,
    /// Primary colour under the pointer.
    pub theme_color_hover_primary: String,
    /// Companion colour for accents.
    pub other_color: String,
    /// Tinted background.
    pub bg_opacity: String,
    /// Line under the header.
    pub bottom_line_color: String,
}
