/** How operators may sell, and whether answers say what an order cost. What it costs is in `src/billing/pricing`. */
export const BILLING_VARIANTS = {
  A: { answersCarryCost: false },
  B: { answersCarryCost: true },
} as const satisfies Record<string, { readonly answersCarryCost: boolean }>;

export type BillingVariant = keyof typeof BILLING_VARIANTS;
