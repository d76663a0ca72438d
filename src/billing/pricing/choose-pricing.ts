import type { BillingVariant } from '../../../config/billing-variants';
import type { PricingStrategy } from './pricing.strategy';
import { VariantAPricing } from './variant-a.pricing';
import { VariantBPricing } from './variant-b.pricing';

interface PricingSettings {
  readonly defaultUnitPriceSun: bigint;
}

/** A further variant is a file of its own, a line here and one in `config/billing-variants.ts`. */
const VARIANTS = {
  A: () => new VariantAPricing(),
  B: (settings: PricingSettings) => new VariantBPricing(settings.defaultUnitPriceSun),
} satisfies Record<BillingVariant, (settings: PricingSettings) => PricingStrategy>;

export function choosePricing(settings: PricingSettings & { readonly variant: BillingVariant }): PricingStrategy {
  return VARIANTS[settings.variant](settings);
}
