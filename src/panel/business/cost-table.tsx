import { DataTable, groupDigits, Trx, useMessages } from '../layout/components';
import { type Costs, EACH } from './costs';

/** By the chain's own fees. */
export function CostTable({ costs }: { costs: Costs }) {
  const messages = useMessages('business');
  const { activations, transactions } = costs;
  const rows = [
    { name: messages.activationTransfer, count: activations, of: 'transferredSun' as const },
    { name: messages.activationFee, count: activations, of: 'accountFeesSun' as const },
    { name: messages.bandwidth, count: transactions, of: 'bandwidthAtMostSun' as const },
  ];
  return (
    <DataTable
      name={messages.onChain}
      rows={rows}
      empty={null}
      columns={[
        { name: messages.cost, heading: true, cell: ({ name }) => name },
        { name: messages.count, numeric: true, cell: ({ count }) => groupDigits(count) },
        { name: messages.eachTrx, numeric: true, cell: ({ of }) => <Trx sun={EACH[of]} /> },
        { name: messages.sumTrx, numeric: true, cell: ({ of }) => <Trx sun={costs[of]} /> },
      ]}
    />
  );
}
