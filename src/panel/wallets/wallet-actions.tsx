import type { WalletState } from '../../chain/wallets/pool-wallet.entity';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import type { SignedInVisit } from '../http/page-context';
import { PostForm } from '../layout/post-form';
import { Question } from '../layout/confirmation';
import { OPERATOR_WORDS, type OperatorWords } from '../messages/operator.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly wallet: WalletRow;
}

const PATH = '/panel/operator/wallets';
const ACTIONS: readonly (readonly [WalletState, 'pause' | 'drain' | 'resume'])[] = [
  ['paused', 'pause'],
  ['draining', 'drain'],
  ['active', 'resume'],
];

/** Draining is asked about first. */
export function WalletActions({ visit, wallet }: Props) {
  const words = OPERATOR_WORDS[visit.locale];
  return (
    <div class="buttons compact">
      {ACTIONS.filter(([state]) => state !== wallet.state || (state === 'active' && wallet.rests)).map(
        ([state, action]) =>
          action === 'drain' ? (
            <form key={state} method="get" action={`${PATH}/drain`}>
              <ActionFields wallet={wallet} words={words} action={action} />
            </form>
          ) : (
            <PostForm key={state} visit={visit} action={PATH}>
              <input type="hidden" name="state" value={state} />
              <ActionFields wallet={wallet} words={words} action={action} />
            </PostForm>
          ),
      )}
    </div>
  );
}

interface ActionFieldsProps {
  readonly wallet: WalletRow;
  readonly words: OperatorWords;
  readonly action: 'pause' | 'drain' | 'resume';
}

function ActionFields({ wallet, words, action }: ActionFieldsProps) {
  return (
    <>
      <input type="hidden" name="name" value={wallet.name} />
      <button type="submit" class="secondary" aria-label={words.actOn(words[action], wallet.name)}>
        {words[action]}
      </button>
    </>
  );
}

export function DrainQuestion({ visit, wallet }: Props) {
  const words = OPERATOR_WORDS[visit.locale];
  return (
    <Question
      visit={visit}
      title={words.drainQuestion}
      facts={[
        [words.name, wallet.name],
        [words.address, <code key="address">{wallet.address}</code>],
        [words.state, words.states[wallet.state]],
      ]}
      text={words.drainText}
      action={PATH}
      fields={{ name: wallet.name, state: 'draining' }}
      button={words.drain}
      back={PATH}
    />
  );
}
