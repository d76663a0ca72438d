import { randomUUID } from 'node:crypto';
import { CopyButton } from '../layout/components';
import { useMessages } from '../layout/current-visit';
import { curlOf } from '../try-it/trial-order';

/** The call of a first order, to be copied. Run twice it is one order: its key stays. */
export function FirstOrderCall({ baseUrl }: { readonly baseUrl: string }) {
  const { yourReceiver: receiver } = useMessages('firstRun');
  const labels = useMessages('tryIt');
  const order = { receiver, amount: '1', time: '10', activate: false, key: randomUUID() };
  return (
    <>
      <pre class="breakable">
        <code id="first-order">{curlOf(order, baseUrl)}</code>
      </pre>
      <CopyButton source="first-order" name={labels.copy} done={labels.copied} />
    </>
  );
}
