import type { Rate } from '../../deposits/deposit-rates';
import { DEPOSIT_STATES } from '../../deposits/deposit-states';
import type { DepositView } from '../../deposits/deposit-view';
import type { SweepView } from '../../deposits/sweeps/sweep.statements';
import type { UnexplainedHolding } from '../../deposits/unexplained-holdings';
import {
  Choice,
  type Column,
  DataTable,
  Field,
  GetButton,
  GetForm,
  Instant,
  ListTable,
  LongId,
  type PageOf,
  shortTrx,
  Tile,
  Trx,
  useMessages,
} from '../layout/components';
import type { Messages } from '../messages/catalogues';
import { UserLink } from '../users/user-link';
import { creditPath, DEPOSITS, RATE } from './deposit-path';
import { amountText, depositColumns } from './deposit-table';
import { SweepTable } from './sweep-table';

const FINDINGS = '/panel/operator/findings';

/** The filter as it was typed. */
export interface DepositFilter {
  readonly typed: { readonly state: string; readonly user: string };
  /** No user has this e-mail address. */
  readonly isUnknown: boolean;
}

export interface DepositListView {
  readonly filter: DepositFilter;
  readonly page: PageOf<DepositView>;
  readonly waiting: readonly DepositView[];
  /** As it was last set. */
  readonly rate: Rate | null;
  /** In force now. */
  readonly sunNow: bigint | null;
  readonly unexplained: readonly UnexplainedHolding[];
  readonly sweeps: readonly SweepView[];
  readonly explorer: string | null;
}

/** What customers have paid in, and what waits for an operator. */
export function DepositListPage({ view }: { view: DepositListView }) {
  const messages = useMessages('deposit');
  const columns = operatorColumns(messages, view.explorer);
  const { typed } = view.filter;
  const isFiltered = typed.state !== '' || typed.user !== '';
  return (
    <>
      <h1>{messages.operatorTitle}</h1>
      <RateNow {...view} />
      <h2>{messages.waiting}</h2>
      <DataTable
        name={messages.waiting}
        rows={view.waiting}
        empty={messages.noneWaiting}
        list="waiting"
        columns={[columns.seenAt, columns.user, columns.amount, columns.why, columns.txid, columns.act]}
      />
      <Unexplained rows={view.unexplained} />
      <h2>{messages.all}</h2>
      <Filter filter={view.filter} isFiltered={isFiltered} />
      <ListTable
        name={messages.all}
        page={view.page}
        empty={isFiltered ? messages.noneFound : messages.noneOfAll}
        columns={[
          columns.seenAt,
          columns.user,
          columns.amount,
          columns.state,
          columns.credited,
          columns.confirmations,
          columns.txid,
          columns.act,
        ]}
      />
      <SweepTable rows={view.sweeps} explorer={view.explorer} />
    </>
  );
}

/** What an operator can credit by hand. */
export function isCreditable({ state }: Pick<DepositView, 'state'>): boolean {
  return state === 'waiting' || state === 'too_small';
}

function operatorColumns(messages: Messages['deposit'], explorer: string | null) {
  return {
    ...depositColumns(messages, explorer),
    user: { name: messages.user, cell: (row) => <UserLink user={row} /> },
    why: {
      name: messages.why,
      cell: ({ waits_for: waitsFor, note }) =>
        waitsFor && (
          <>
            {messages.waitsFor[waitsFor]}
            {note !== null && <small class="beneath">{note}</small>}
          </>
        ),
    },
    act: {
      name: messages.actions,
      cell: (row) =>
        isCreditable(row) && (
          <GetButton
            action={creditPath(row)}
            compact
            class="secondary"
            aria-label={messages.creditOne(amountText(row), row.user)}
            text={messages.credit}
          />
        ),
    },
  } satisfies Record<string, Column<DepositView>>;
}

function RateNow({ rate, sunNow }: Pick<DepositListView, 'rate' | 'sunNow'>) {
  const messages = useMessages('deposit');
  const sun = rate?.sunPerUsdt ?? null;
  return (
    <>
      <div class="tiles">
        <Tile
          name={messages.rate}
          value={sun === null ? messages.noRate : shortTrx(sun)}
          note={rate && messages.rateSince(<Instant at={rate.since} />)}
        />
      </div>
      {sunNow === null && <p class="notice attention">{sun === null ? messages.rateMissing : messages.rateOld}</p>}
      <GetButton action={RATE} text={messages.changeRate} />
    </>
  );
}

function Filter({ filter: { typed, isUnknown }, isFiltered }: { filter: DepositFilter; isFiltered: boolean }) {
  const messages = useMessages('deposit');
  const states = DEPOSIT_STATES.map((state) => [state, messages.states[state]] as const);
  const problem = isUnknown ? { field: 'user', text: messages.unknownUser } : undefined;
  return (
    <GetForm action={DEPOSITS} class="inline" label={messages.find} form={typed} problem={problem}>
      <Choice name="state" label={messages.state} value={typed.state} options={[['', messages.anyState], ...states]} />
      <Field name="user" type="email" label={messages.user} />
      <button type="submit" class="secondary">
        {messages.find}
      </button>
      {isFiltered && (
        <a href={DEPOSITS} class="beside">
          {messages.clear}
        </a>
      )}
    </GetForm>
  );
}

/** What a contract has paid: the finding says how an operator credits it. */
function Unexplained({ rows }: { rows: readonly UnexplainedHolding[] }) {
  const messages = useMessages('deposit');
  return (
    <>
      <h2>{messages.unexplained}</h2>
      {rows.length > 0 && (
        <p>
          {messages.unexplainedText} <a href={FINDINGS}>{messages.toFinding}</a>
        </p>
      )}
      <DataTable
        name={messages.unexplained}
        rows={rows}
        empty={messages.noneUnexplained}
        list="unexplained"
        columns={[
          {
            name: messages.address,
            heading: true,
            cell: ({ address, user_id: id }) => (
              <LongId value={address} {...(id !== null && { href: `/panel/operator/users/${id}` })} />
            ),
          },
          { name: messages.heldTrx, numeric: true, cell: ({ sun }) => <Trx sun={sun} /> },
          { name: messages.heldUsdt, numeric: true, cell: ({ usdt }) => <Trx sun={usdt} /> },
          { name: messages.since, cell: ({ since }) => <Instant at={since} /> },
        ]}
      />
    </>
  );
}
