/** The parameters of each kind's sentences. No value is a secret. */
const PARAMETERS = {
  proxy_not_trusted: [],
  proxy_trusts_everybody: ['value'],
  public_url_missing: ['host'],
  mail_links_misled: [],
  public_url_differs: ['public_url', 'origin', 'instance'],
  panel_over_http: ['public_url'],
  smtp_over_plain: ['host'],
  telegram_over_http: ['host'],
  notices_over_http: ['host'],
  node_key_over_http: ['host'],
  traces_over_http: ['host'],
  role_superuser: ['role'],
  role_owns_tables: ['role'],
  database_without_tls: ['host'],
  migration_hosts_missing: ['host'],
  webhooks_may_be_private: [],
  secret_repeats: ['setting'],
  file_open_to_others: ['path', 'mode'],
  metrics_without_token: ['host'],
  secret_keys_differ: ['differing'],
  webhook_secrets_unencrypted: ['count', 'has_key'],
  webhook_secret_key_missing: ['count', 'key'],
  second_factors_unencrypted: ['count', 'has_key'],
  second_factor_key_missing: ['count', 'key'],
  reclaim_before_rental_end: ['seconds'],
  deposit_minimum_low: ['minimum', 'worth', 'energy'],
} as const satisfies Record<string, readonly string[]>;

export type WeaknessKind = keyof typeof PARAMETERS;
export type WeaknessParameters = {
  readonly [Kind in WeaknessKind]: Readonly<Record<(typeof PARAMETERS)[Kind][number], string>>;
};

/** A weak setting, for operators. `languages` has its sentences. */
export interface Weakness<Kind extends WeaknessKind = WeaknessKind> {
  readonly kind: Kind;
  /** A setting, a file, or where the database is. */
  readonly subject: string;
  readonly parameters: WeaknessParameters[Kind];
}

export function weakness<Kind extends WeaknessKind>(
  kind: Kind,
  subject: string,
  parameters: WeaknessParameters[Kind],
): Weakness<Kind> {
  return { kind, subject, parameters };
}
