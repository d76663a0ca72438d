import type { OpenSurroundings } from './open-surroundings';
import { formatTrx } from './common/sun';

/** What somebody who typed `npm start` wants to know, last after all log lines. */
export function writeSummary({ configuration, descriptions }: OpenSurroundings, url: string): void {
  const lines = [
    ['API', url],
    ['Database', descriptions.database],
    ['Chain', descriptions.chain],
    ['Billing', describeBilling(configuration.billing)],
  ];
  process.stdout.write(`\n${lines.map(([name, value]) => `  ${name!.padEnd(10)}${value}`).join('\n')}\n\n`);
}

function describeBilling({ variant, defaultUnitPriceSun }: OpenSurroundings['configuration']['billing']): string {
  if (variant === 'A') return 'variant A, 3 TRX a transaction';
  return `variant B, each account's price a transaction, else ${formatTrx(defaultUnitPriceSun)} TRX`;
}
