import type { InvitationLink, InvitationService } from '../auth/invitations/invitation.service';
import { choosePricing } from '../billing/pricing/choose-pricing';
import type { SeededDemo } from '../seed/demo-seeder';
import type { StartedInfrastructure } from './start-infrastructure';

/** `there`: the service has an operator; `missing`: it has none, and no link was made; else the link to become the first. */
export type FirstOperator = 'there' | 'missing' | InvitationLink;

export async function findFirstOperator(invitations: InvitationService, makeLink: boolean): Promise<FirstOperator> {
  if (makeLink) return (await invitations.inviteFirstOperator()) ?? 'there';
  return (await invitations.hasOperator()) ? 'there' : 'missing';
}

/** What somebody who typed `npm start` wants to know, after all log lines. */
export function writeStartupBanner(
  infrastructure: StartedInfrastructure,
  url: string,
  seededDemo: SeededDemo | null,
  firstOperator: FirstOperator,
): void {
  const { configuration, descriptions } = infrastructure;
  const facts = {
    API: url,
    Docs: `${configuration.http.publicUrl ?? url}/docs`,
    Panel: `${configuration.http.publicUrl ?? url}/panel`,
    Database: descriptions.database,
    Chain: descriptions.chain,
    Billing: choosePricing(configuration.billing).description,
  };
  const lines = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(10)}${value}`);
  lines.push(...describeFirstOperator(firstOperator));
  if (seededDemo)
    lines.push('', '  Delegate the energy of one transaction to a new address:', '', curl(url, seededDemo));
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

function describeFirstOperator(firstOperator: FirstOperator): string[] {
  if (firstOperator === 'there') return [];
  if (firstOperator === 'missing')
    return [
      '',
      '  The service has no operator yet. No log should keep a link, so make one on the command line:',
      '  user:create --email E --name N --operator, then user:invite E',
    ];
  return [
    '',
    '  The service has no operator yet. The first person to open this link becomes one:',
    '',
    firstOperator.url,
  ];
}

/** From the line's start to its end, so that it can be copied as it is. */
function curl(url: string, { token, inactiveAddress }: SeededDemo): string {
  const order = JSON.stringify({ receiver_address: inactiveAddress, amount: 1, activate_address: true });
  const headers = `-H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json'`;
  return `curl ${url}/api/chain/delegate-resource ${headers} -d '${order}'`;
}
