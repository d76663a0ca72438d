import type { PricingStrategy } from './pricing.strategy';
import { VariantAPricing } from './variant-a.pricing';
import { VariantBPricing } from './variant-b.pricing';

interface PricingSettings {
  readonly defaultUnitPriceSun: bigint;
}

/** A further variant is a file of its own and a line here. */
const VARIANTS = {
  A: () => new VariantAPricing(),
  B: (settings: PricingSettings) => new VariantBPricing(settings.defaultUnitPriceSun),
} satisfies Record<string, (settings: PricingSettings) => PricingStrategy>;

export type BillingVariant = keyof typeof VARIANTS;
export const BILLING_VARIANTS = Object.keys(VARIANTS) as BillingVariant[];

export function choosePricing(settings: PricingSettings & { readonly variant: BillingVariant }): PricingStrategy {
  return VARIANTS[settings.variant](settings);
}
