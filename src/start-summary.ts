import type { OpenSurroundings } from './open-surroundings';
import { choosePricing } from './billing/pricing/choose-pricing';

/** What somebody who typed `npm start` wants to know, last after all log lines. */
export function writeSummary({ configuration, descriptions }: OpenSurroundings, url: string): void {
  const lines = [
    ['API', url],
    ['Database', descriptions.database],
    ['Chain', descriptions.chain],
    ['Billing', choosePricing(configuration.billing).description],
  ];
  process.stdout.write(`\n${lines.map(([name, value]) => `  ${name!.padEnd(10)}${value}`).join('\n')}\n\n`);
}
