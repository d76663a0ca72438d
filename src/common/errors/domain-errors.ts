/** What a refusal without parameters takes. */
type Nothing = undefined;

/** What was named is not there, or is not the caller's to see. */
export interface MissingErrors {
  'user.not-found': { readonly email: string };
  'token.not-found': { readonly id: string };
  'subscription.not-found': { readonly id: string };
  'order.not-found': { readonly id: string };
  'wallet.not-found': { readonly name: string };
  'finding.not-found': { readonly id: bigint };
  'webhook.not-found': { readonly id: string };
  'delivery.not-found': { readonly id: string };
}

/** Values that can be right in no state of the service. */
export interface InvalidValueErrors {
  'user.email-invalid': { readonly email: string };
  'user.name-length': { readonly longest: number };
  'user.name-unseen': undefined;
  'user.rate-limit-invalid': { readonly most: number };
  'token.name-length': { readonly longest: number };
  'token.name-unseen': undefined;
  'token.receiver-invalid': { readonly receiver: string };
  'token.receivers-too-many': { readonly most: number };
  'token.ip-invalid': { readonly ip: string };
  'token.ips-too-many': { readonly most: number };
  'movement.note-length': { readonly longest: number };
  'movement.reference-empty': Nothing;
  'movement.reference-length': { readonly longest: number };
  'finding.note-missing': Nothing;
  'wallet.name-unseen': Nothing;
  'wallet.key-variable-invalid': Nothing;
  'wallet.key-file-invalid': Nothing;
  'wallet.key-file-not-absolute': Nothing;
  'webhook.url-invalid': Nothing;
  'webhook.url-credentials': Nothing;
  'webhook.url-address': Nothing;
  'webhook.url-length': { readonly longest: number };
  'webhook.events-invalid': { readonly events: readonly string[] };
}

/** What cannot be done as things stand. */
export interface RefusalErrors {
  'user.email-taken': Nothing;
  'user.unit-price-out-of-bounds': Nothing;
  'user.rate-limit-not-positive': Nothing;
  'user.is-oneself': Nothing;
  'user.last-operator': Nothing;
  'user.disabled': { readonly email: string };
  'user.name-changed': { readonly name: string };
  'user.operator-changed': { readonly operator: boolean };
  /** null: the configured default. */
  'user.unit-price-changed': { readonly unitPriceSun: bigint | null };
  /** null: the configured default. */
  'user.rate-limit-changed': { readonly rateLimitPerMinute: number | null };
  /** null: none. */
  'user.low-balance-changed': { readonly lowBalanceSun: bigint | null };
  'password.length': { readonly shortest: number; readonly longest: number };
  'password.common': Nothing;
  'second-factor.code-wrong': Nothing;
  'second-factor.none': { readonly email: string };
  'invitation.not-valid': Nothing;
  'token.created-before': Nothing;
  'token.permissions-invalid': { readonly permissions: readonly string[] };
  'token.days-invalid': { readonly most: number };
  'movement.amount-not-positive': Nothing;
  'movement.balance-insufficient': { readonly amountSun: bigint };
  'movement.balance-too-large': { readonly amountSun: bigint };
  /** `kind` and `amountSun`: of the earlier movement. */
  'movement.reference-used': { readonly reference: string; readonly kind: string; readonly amountSun: bigint };
  'subscription.created-before': Nothing;
  'subscription.reference-used': { readonly reference: string };
  'commit.not-done': { readonly reference: string };
  'commit.unknown': { readonly reference: string };
  'subscription.quota-invalid': Nothing;
  'subscription.time-unknown': Nothing;
  'wallet.address-invalid': { readonly address: string };
  'wallet.address-taken': { readonly address: string; readonly role: string };
  'wallet.name-taken': { readonly name: string };
  /** Open findings that the operator has not read. */
  'wallet.reason-needed': { readonly name: string };
  'wallet.finding-unread': { readonly name: string; readonly kinds: readonly string[] };
  'wallet.in-use': { readonly name: string; readonly orders: bigint; readonly transactions: bigint };
  'wallet.has-findings': { readonly name: string; readonly findings: number };
  'wallet.lent-on-chain': { readonly name: string; readonly lentSun: bigint };
  'wallet.loans-unknown': { readonly name: string };
  'webhook.url-not-https': Nothing;
  'webhook.url-private': Nothing;
  'webhook.created-before': Nothing;
  'webhook.too-many': { readonly most: number };
  'webhook.test-too-often': { readonly most: number };
  'webhook.attempts-used-up': { readonly most: number };
  'webhook.rotated-too-often': { readonly most: number };
  'webhook.disabled': Nothing;
  'notice.channel-closed': Nothing;
  'finding.no-shortage': { readonly kind: string };
  'finding.acknowledged-before': { readonly id: bigint };
  'finding.resolved': { readonly id: bigint };
  'finding.amount-unknown': { readonly id: bigint };
  'witnesses.none-offered': Nothing;
  'witnesses.other-offered': { readonly digest: string };
  'witnesses.unknown': Nothing;
  'chain.no-branch-refused': Nothing;
  'chain.other-branch': { readonly id: string };
  'chain.block-provable': { readonly number: number };
  'chain.block-not-final': { readonly number: number };
  'chain.block-differing': { readonly number: number };
  'restore.nothing-to-confirm': Nothing;
  'finding.shortage-changed': { readonly amountSun: bigint };
}

/** Why a receipt proves nothing. */
export interface ReceiptErrors {
  'receipt.file-unreadable': { readonly file: string };
  'receipt.malformed': { readonly field: string };
  'receipt.field-unknown': { readonly field: string };
  'receipt.no-delegation': Nothing;
  'receipt.otherwise-proved': { readonly field: string; readonly stated: string; readonly proved: string };
  'receipt.not-in-block': Nothing;
  'receipt.no-header': Nothing;
  'receipt.not-signed': { readonly block: number };
  'receipt.not-linked': { readonly block: number };
  'receipt.too-few-witnesses': { readonly signed: number; readonly needed: number };
  'receipt.other-witnesses': { readonly address: string };
}

/** Every refusal of a command or form: its code, and the parameters of its text. */
export interface DomainErrors extends MissingErrors, InvalidValueErrors, RefusalErrors, ReceiptErrors {}

export type DomainErrorCode = keyof DomainErrors;

/** One language's texts: a code without one does not compile. */
export type DomainErrorTexts = {
  readonly [Code in DomainErrorCode]: (parameters: DomainErrors[Code]) => string;
};
