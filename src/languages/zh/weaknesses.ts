import type { WeaknessMessages } from '../weakness-messages';

const NEW_KEY = 'openssl rand -base64 32';
const OWN_ROLE =
  '请让另一个角色拥有数据表（DATABASE_MIGRATION_URL），并在 DATABASE_URL 中使用不拥有任何表的角色（见 docs/operations.md 的 Database）。';
const withKey = (hasKey: string, act: string) =>
  hasKey === 'true' ? act : `请在所有实例上设置 SECRET_KEYS（${NEW_KEY}），然后：${act}`;
const HTTPS = '请使用 https。';

export const weaknesses: WeaknessMessages = {
  proxy_not_trusted: {
    reason: () =>
      'PUBLIC_URL 为 https，而 TRUST_PROXY 未指定任何代理：面板的 Cookie 不带 Secure，所有访客都被视为来自同一地址',
    nextStep: () => '请将 TRUST_PROXY 设为前置代理的地址或网段，例如 loopback 或 10.0.0.0/8。',
  },
  proxy_trusts_everybody: {
    reason: ({ value }) => `TRUST_PROXY=${value} 也信任陌生人：任何调用方都能自行填写限流和令牌网段所依据的地址`,
    nextStep: () => '请只指定前置代理的地址、网段或数量。',
  },
  public_url_missing: {
    reason: ({ host }) => `HOST=${host} 允许其他机器访问，但未设置 PUBLIC_URL：面板链接指向 localhost 或使用 http`,
    nextStep: () => '请将 PUBLIC_URL 设为浏览器使用的地址，即 https://…。',
  },
  mail_links_misled: {
    reason: () => '已设置 SMTP_URL，但未设置 PUBLIC_URL：发给用户的邮件中的链接指向本进程监听的地址',
    nextStep: () => '请将 PUBLIC_URL 设为浏览器使用的地址，即 https://…。',
  },
  public_url_differs: {
    reason: ({ public_url: publicUrl, origin, instance }) =>
      `PUBLIC_URL 为 ${publicUrl}，而带会话或令牌的请求以 ${origin} 到达 ${instance}：链接指向别处，或 Cookie 失去 Secure`,
    nextStep: () =>
      '请让前置代理按浏览器的原样发送 Host 和 X-Forwarded-Proto，在 TRUST_PROXY 中指定它，或更正 PUBLIC_URL。',
  },
  panel_over_http: {
    reason: ({ public_url: publicUrl }) => `PUBLIC_URL 为 ${publicUrl}：密码、会话和 API 令牌以明文传输`,
    nextStep: () => '请在前面加上 TLS（deploy/caddy），并将 PUBLIC_URL 设为 https://…。',
  },
  smtp_over_plain: {
    reason: ({ host }) => `SMTP_ALLOW_PLAIN=on：${host} 的密码可能以明文传输`,
    nextStep: () => '请使用 smtps:// 或支持 STARTTLS 的服务器，并去掉 SMTP_ALLOW_PLAIN。',
  },
  telegram_over_http: {
    reason: ({ host }) => `TELEGRAM_API_URL 为 http：机器人的令牌以明文传输到 ${host}`,
    nextStep: () => HTTPS,
  },
  notices_over_http: {
    reason: ({ host }) => `NOTIFY_WEBHOOK_URL 为 http：给运营人员的通知和地址中的密钥以明文传输到 ${host}`,
    nextStep: () => HTTPS,
  },
  node_key_over_http: {
    reason: ({ host }) => `节点 ${host} 的密钥以明文传输`,
    nextStep: () => '需要密钥或密码的节点请使用 https。',
  },
  traces_over_http: {
    reason: ({ host }) => `OTEL_EXPORTER_OTLP_HEADERS 以明文传输到 ${host}`,
    nextStep: () => HTTPS,
  },
  role_superuser: {
    reason: ({ role }) => `服务的数据库角色 ${role} 是超级用户：它可以更改账目和审计日志`,
    nextStep: () => OWN_ROLE,
  },
  role_owns_tables: {
    reason: ({ role }) => `服务的数据库角色 ${role} 拥有数据表：它可以更改账目和审计日志`,
    nextStep: () => OWN_ROLE,
  },
  database_without_tls: {
    reason: ({ host }) => `数据库位于 ${host}，连接没有 TLS：途经的机器可以读取和更改数据`,
    nextStep: () => '请在 URL 中加入 sslmode=verify-full（自有 CA 另加 sslrootcert）。如果网络中没有外人，则不需要。',
  },
  migration_hosts_missing: {
    reason: ({ host }) =>
      `DATABASE_URL 写有多台主机，DATABASE_MIGRATION_URL 只写了 ${host}：除非该名称随主库切换，否则故障切换后实例无法启动，命令也无法运行`,
    nextStep: () =>
      '请在 DATABASE_MIGRATION_URL 中写上所有 PostgreSQL 主机，或一个随主库切换的名称（见 docs/operations.md 的 Fail-over）。',
  },
  webhooks_may_be_private: {
    reason: () => 'WEBHOOK_ALLOW_PRIVATE=on：客户可以让本机调用 http 和私有地址，包括您自己的服务',
    nextStep: () => '如果客户可以填写 Webhook，请去掉此设置。',
  },
  secret_repeats: {
    reason: ({ setting }) => `${setting} 中的密钥只重复几个字符：可以被猜到`,
    nextStep: () => `请生成新的密钥，例如 ${NEW_KEY}。`,
  },
  file_open_to_others: {
    reason: ({ path, mode }) => `${path} 的权限为 ${mode}：本机的所有账户都能读取或更改它`,
    nextStep: () => '请去掉其他用户的权限：对该文件执行 chmod o=。',
  },
  metrics_without_token: {
    reason: ({ host }) => `METRICS_PORT 在 ${host} 上监听，而未设置 METRICS_TOKEN：能访问该端口的人可以读取业务数据`,
    nextStep: () => '请设置 METRICS_TOKEN（Prometheus 也要设置），或用防火墙阻止他人访问该端口。',
  },
  secret_keys_differ: {
    reason: ({ differing }) => `各实例的密钥不同（以名称显示）：${differing}，一个实例无法读取另一个实例加密的内容`,
    nextStep: () => '请为所有实例设置相同的 SECRET_KEYS，并重启不同的实例。',
  },
  webhook_secrets_unencrypted: {
    reason: ({ count }) => `${count} 个 Webhook 的密钥未加密存储：能读取数据库或其转储的人可以签署事件`,
    nextStep: ({ has_key: hasKey }) =>
      withKey(hasKey, '请为每个 Webhook 更换密钥（webhook:rotate ID 或面板）。旧密钥保留一天。'),
  },
  webhook_secret_key_missing: {
    reason: ({ count, key }) =>
      `${count} 个 Webhook 的密钥由密钥 ${key} 加密，而该密钥未设置：服务不向它们推送任何内容`,
    nextStep: () => '请将该密钥加入 SECRET_KEYS，放在加密所用的密钥之后。',
  },
  second_factors_unencrypted: {
    reason: ({ count }) => `${count} 个两步验证的密钥未加密存储：能读取数据库或其转储的人可以生成验证码`,
    nextStep: ({ has_key: hasKey }) => withKey(hasKey, '请用户重新设置两步验证（面板的“账户设置”）。'),
  },
  second_factor_key_missing: {
    reason: ({ count, key }) => `${count} 个两步验证的密钥由密钥 ${key} 加密，而该密钥未设置：只接受恢复码`,
    nextStep: () =>
      '请将该密钥加入 SECRET_KEYS，放在加密所用的密钥之后。如果该密钥已丢失，请重置两步验证（user:reset-second-factor EMAIL）。',
  },
  reclaim_before_rental_end: {
    reason: ({ seconds }) => `RECLAIM_DELAY 为 ${seconds}s：能量在最短租用时长（10 分钟）结束之前就会回收`,
    nextStep: () => '请将 RECLAIM_DELAY 设为 10m 或更长，例如 60m。只有测试需要更短。',
  },
  deposit_minimum_low: {
    reason: ({ minimum, worth, energy }) =>
      `DEPOSIT_MIN_USDT 为 ${minimum}，折合 ${worth} TRX：归集一次需要 64,285 能量（燃烧时为 ${energy} TRX），只持有 USDT 的地址还需 1 到 2.1 TRX 激活`,
    nextStep: () => '请将 DEPOSIT_MIN_USDT 设为高于归集所需的数额。',
  },
};
