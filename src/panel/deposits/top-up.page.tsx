import type { DepositSettings } from '../../../config/deposits';
import type { DepositView } from '../../deposits/deposit-view';
import {
  CopyButton,
  DataTable,
  ListTable,
  Live,
  type PageOf,
  PostButton,
  QrCode,
  shortTrx,
  Tile,
  useMessages,
  useVisit,
} from '../layout/components';
import { TOP_UP, TopUpText } from '../money/top-up-text';
import { depositColumns } from './deposit-table';

/** A block comes every three seconds; a look less often is enough. */
const LOOK_SECONDS = 10;

export interface TopUpView {
  /** Null: the customer has not asked for one. */
  readonly address: string | null;
  readonly minimum: Pick<DepositSettings, 'leastSun' | 'leastUsdt'>;
  /** In force now. */
  readonly sunPerUsdt: bigint | null;
  readonly underWay: readonly DepositView[];
  readonly history: PageOf<DepositView>;
  readonly explorer: string | null;
}

/** Where a customer pays in, and what has come. */
export function TopUpPage({ view }: { view: TopUpView }) {
  const messages = useMessages('deposit');
  const { text } = useVisit().topUp;
  const columns = depositColumns(messages, view.explorer);
  return (
    <>
      <h1>{messages.title}</h1>
      <p>{messages.intro}</p>
      <Address address={view.address} />
      <Terms {...view} />
      <p>
        <small>{messages.contracts}</small>
      </p>
      {text !== undefined && (
        <>
          <h2>{messages.other}</h2>
          <TopUpText />
        </>
      )}
      <h2>{messages.underWay}</h2>
      <Live id="under-way" seconds={view.address === null ? null : LOOK_SECONDS}>
        <DataTable
          name={messages.underWay}
          rows={view.underWay}
          rowId={({ id }) => `under-way-${id}`}
          empty={messages.noneUnderWay}
          list="under-way"
          columns={[columns.seenAt, columns.amount, columns.confirmations, columns.txid]}
        />
      </Live>
      <h2>{messages.history}</h2>
      <ListTable
        name={messages.history}
        page={view.history}
        empty={messages.none}
        columns={[columns.seenAt, columns.amount, columns.state, columns.credited, columns.txid]}
      />
    </>
  );
}

function Address({ address }: Pick<TopUpView, 'address'>) {
  const messages = useMessages('deposit');
  if (address === null) {
    return (
      <>
        <p>{messages.makeText}</p>
        <PostButton action={TOP_UP} text={messages.make} />
      </>
    );
  }
  return (
    <>
      <h2>{messages.yours}</h2>
      <p>
        <code id="deposit-address">{address}</code>{' '}
        <CopyButton source="deposit-address" name={messages.copyAddress} done={messages.copied} />
      </p>
      <QrCode text={address} title={messages.picture} />
    </>
  );
}

function Terms({ minimum: { leastSun, leastUsdt }, sunPerUsdt }: Pick<TopUpView, 'minimum' | 'sunPerUsdt'>) {
  const messages = useMessages('deposit');
  return (
    <div class="tiles">
      <Tile name={messages.minimum} value={shortTrx(leastSun)} note={messages.minimumNote} />
      <Tile name={messages.minimumUsdt} value={shortTrx(leastUsdt)} note={messages.minimumNote} />
      {sunPerUsdt === null ? (
        <Tile name={messages.rate} value={messages.noRate} note={messages.noRateNote} />
      ) : (
        <Tile name={messages.rate} value={shortTrx(sunPerUsdt)} note={messages.rateNote} />
      )}
    </div>
  );
}

/** Without deposits: the operator's own words alone. */
export function HowToTopUpPage() {
  return (
    <>
      <h1>{useMessages('money').topUp}</h1>
      <TopUpText />
    </>
  );
}
