import type { WalletState } from '../../chain/pool/wallets/pool-wallet.entity';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { Confirmation, PostForm, useMessages } from '../layout/components';
import { WALLETS_PATH } from './wallet-path';

interface Props {
  readonly wallet: WalletRow;
  /** The answer leads back there. */
  readonly fromItsPage?: boolean;
}

export const WALLET_TONES = { active: 'good', paused: 'busy', draining: 'quiet' } as const;

const ACTIONS: readonly (readonly [WalletState, 'pause' | 'drain' | 'resume'])[] = [
  ['paused', 'pause'],
  ['draining', 'drain'],
  ['active', 'resume'],
];

/** Draining and resuming lead to a question. */
export function WalletActions({ wallet, fromItsPage = false }: Props) {
  const from = fromItsPage && <input type="hidden" name="from" value={wallet.id} />;
  return (
    <>
      {ACTIONS.filter(([state]) => state !== wallet.state || (state === 'active' && wallet.rests)).map(
        ([state, action]) =>
          action === 'pause' ? (
            <PostForm key={state} action={WALLETS_PATH}>
              <input type="hidden" name="state" value={state} />
              {from}
              <ActionFields wallet={wallet} action={action} />
            </PostForm>
          ) : (
            <form key={state} method="get" action={`${WALLETS_PATH}/${action}`}>
              {from}
              <ActionFields wallet={wallet} action={action} />
            </form>
          ),
      )}
    </>
  );
}

function ActionFields({ wallet, action }: { wallet: WalletRow; action: 'pause' | 'drain' | 'resume' }) {
  const messages = useMessages('operator');
  return (
    <>
      <input type="hidden" name="name" value={wallet.name} />
      <button type="submit" class="secondary" aria-label={messages.actOn(messages[action], wallet.name)}>
        {messages[action]}
      </button>
    </>
  );
}

export function DrainConfirmation({ wallet }: Props) {
  const messages = useMessages('operator');
  return (
    <Confirmation
      title={messages.drainConfirmation}
      facts={[
        [messages.name, wallet.name],
        [messages.address, <code key="address">{wallet.address}</code>],
        [messages.state, messages.states[wallet.state]],
      ]}
      text={messages.drainText}
      action={WALLETS_PATH}
      fields={{ name: wallet.name, state: 'draining' }}
      button={messages.drain}
      back={WALLETS_PATH}
    />
  );
}
