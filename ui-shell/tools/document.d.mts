export interface FixtureOptions {
  name: string;
  main: string;
  lang: string;
  script: string;
  nav: string;
  search: string;
  styles?: string[];
  preloads?: string[];
  slots?: Record<string, unknown[]>;
  plugins?: boolean;
  user?: string;
  nonce?: string;
  theme?: string;
  gray?: number;
  noFrame?: boolean;
}
export function renderFixture(options: FixtureOptions): string;
export function bootstrapOf(options: FixtureOptions): Record<string, unknown>;
export function payloadOf(options: FixtureOptions): Record<string, unknown>;
