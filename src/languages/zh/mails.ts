import type { mails as English } from '../en/mails';

const NOT_YOU = '如果不是您本人操作，请立即重设密码，并撤销您不认识的令牌。';

const FACTOR = {
  enabled: '已启用两步验证',
  replaced: '的两步验证已更换',
  codes: '已生成新的恢复码，旧恢复码作废',
  removed: '已停用两步验证',
};

export const mails: typeof English = {
  sign_up: (site) => ({
    subject: `请验证您在 ${site} 的注册邮箱`,
    lines: [
      `有人使用此邮箱注册了 ${site}。`,
      '如果是您本人，请在 24 小时内验证邮箱。链接仅可使用一次。',
      '如果不是您本人，请忽略本邮件。未经验证，不会创建账户。',
    ],
    link: '验证邮箱',
  }),
  sign_up_known: (site) => ({
    subject: `您在 ${site} 已有账户`,
    lines: [
      `有人使用此邮箱注册 ${site}，但该邮箱已有账户，因此没有任何变化。`,
      '如果是您本人，请直接登录。忘记密码时，可在登录页面获取重设密码的链接。',
      '如果不是您本人，请忽略本邮件。',
    ],
    link: '登录',
  }),
  sign_up_waiting: (site) => ({
    subject: `您在 ${site} 的注册正在审核`,
    lines: [
      `有人再次使用此邮箱注册 ${site}。该邮箱已通过验证，注册申请正在等待运营人员审核。`,
      '审核完成后，我们会通过邮件通知您。',
    ],
    link: site,
  }),
  approved: (site) => ({
    subject: `欢迎使用 ${site}`,
    lines: ['您的账户已开通。请使用注册邮箱和您设置的密码登录。'],
    link: '登录',
  }),
  refused: (site, { note }) => ({
    subject: `您在 ${site} 的注册申请`,
    lines: [`${site} 的运营人员审核了您的注册申请，未予开通账户。`, `原因：${note}`],
    link: site,
  }),
  password_reset: (site) => ({
    subject: `重设您在 ${site} 的密码`,
    lines: [
      `有人请求重设您在 ${site} 的账户密码。`,
      '如果是您本人，请在一小时内设置新密码。链接仅可使用一次，设置后所有会话都会结束。',
      '如果不是您本人，请忽略本邮件，您的密码不会改变。',
    ],
    link: '设置新密码',
  }),
  invitation: (site) => ({
    subject: `您在 ${site} 的账户`,
    lines: [`${site} 的运营人员向您发送此链接，请通过链接设置登录密码。`, '链接三天内有效，仅可使用一次。'],
    link: '设置密码',
  }),
  email_confirm: (site) => ({
    subject: `请验证您在 ${site} 的新邮箱`,
    lines: [
      `${site} 的一位用户希望改用此邮箱登录。`,
      '如果是您本人，请在 24 小时内完成验证。链接仅可使用一次。',
      '如果不是您本人，请忽略本邮件，该邮箱不会被使用。',
    ],
    link: '验证邮箱',
  }),
  email_taken: (site) => ({
    subject: `关于您在 ${site} 的邮箱`,
    lines: [
      `${site} 的一位用户希望改用此邮箱，但该邮箱已属于另一个账户，因此没有任何变化。`,
      '如果是您本人，请登录该账户。',
    ],
    link: '登录',
  }),
  email_changed: (site, { email }, contact) => ({
    subject: `您在 ${site} 的邮箱已更改`,
    lines: [
      `您在 ${site} 的账户邮箱已改为 ${email}，旧邮箱不能再用于登录。`,
      `如果不是您本人操作，请立即写信至 ${contact}，运营人员可以恢复账户原来的邮箱。`,
    ],
    link: site,
  }),
  token_created: (site, { name }) => ({
    subject: `您在 ${site} 新增了 API 令牌`,
    lines: [`您在 ${site} 的账户新增了一个 API 令牌：${name}。`, NOT_YOU],
    link: '查看令牌',
  }),
  webhook_address: (site, { host }) => ({
    subject: `您在 ${site} 设置了新的 Webhook 地址`,
    lines: [`您在 ${site} 的账户现在会将事件推送到 ${host}。`, NOT_YOU],
    link: '查看 Webhook',
  }),
  password_changed: (site, { tokens }) => ({
    subject: `您在 ${site} 的密码已更改`,
    lines: [
      `您在 ${site} 的账户密码已更改，之前的会话均已结束。`,
      ...(tokens ? ['账户的所有 API 令牌均已撤销，使用它们的程序需要换用新令牌。'] : []),
      '如果不是您本人操作，请立即在登录页面重设密码。',
    ],
    link: '登录',
  }),
  second_factor_changed: (site, { change }) => ({
    subject: `您在 ${site} 的两步验证有变动`,
    lines: [`您在 ${site} 的账户${FACTOR[change]}。`, NOT_YOU],
    link: '查看账户',
  }),
};
