import { formatTrx } from '../../common/money/sun';
import { packageVersion } from '../../common/package-version';
import { LastWholeCheck } from '../findings/whole-check';
import { Badge, DataTable, Facts, useVisit, useMessages } from '../layout/components';
import { isFault, textOf } from '../../weak-settings/weakness-text';
import type { SettingsView } from './settings-reader';

const VERSION = packageVersion() ?? '–';

/** Read only: settings come from the environment, and change with the next start. */
export function SettingsPage({ view }: { view: SettingsView }) {
  const { locale } = useVisit();
  const messages = useMessages('settings');
  const { proof, callsPerSecond, nodes, check, weak } = view;
  const { billing, delegation, reclaim, rateLimit, reconcileMs } = view.settings;
  return (
    <>
      <h1>{messages.title}</h1>
      <p>{messages.text}</p>
      <h2>{messages.weak}</h2>
      <DataTable
        name={messages.weak}
        rows={weak.map((one) => ({ ...textOf(one, locale), isFault: isFault(one) }))}
        empty={messages.noneWeak}
        columns={[
          { name: messages.setting, heading: true, cell: ({ subject }) => <code>{subject}</code> },
          {
            name: messages.state,
            cell: ({ isFault: isBad }) => (
              <Badge tone={isBad ? 'bad' : 'busy'}>{isBad ? messages.fault : messages.weakness}</Badge>
            ),
          },
          { name: messages.whatIsWeak, cell: ({ reason }) => reason },
          { name: messages.nextStep, cell: ({ next_step: nextStep }) => nextStep },
        ]}
      />
      <h2>{messages.goesBy}</h2>
      <Facts
        facts={[
          [messages.version, VERSION],
          [messages.variant, messages.variants[billing.variant]],
          billing.variant === 'B' && [messages.unitPrice, formatTrx(billing.defaultUnitPriceSun)],
          [messages.answer, messages.answers[delegation.answer]],
          [messages.answerTimeout, messages.seconds(delegation.answerTimeoutMs / 1000)],
          [messages.margin, `${Number(delegation.energyMarginPpm) / 10_000} %`],
          [messages.reclaimDelay, messages.minutes(reclaim.delayMs / 60_000)],
          [messages.rateLimit, messages.perMinute(rateLimit.perMinute)],
          [messages.reconcile, messages.minutes(reconcileMs / 60_000)],
          [messages.proof, messages.proofs[proof]],
          [messages.nodeCalls, callsPerSecond === null ? messages.automatic : messages.perSecond(callsPerSecond)],
        ]}
      />
      <h2>{messages.nodes}</h2>
      <DataTable
        name={messages.nodes}
        rows={nodes}
        empty={messages.noNodes}
        columns={[
          { name: messages.node, heading: true, cell: ({ origin }) => <code>{origin}</code> },
          { name: messages.serves, cell: ({ kind }) => <code>{kind}</code> },
          {
            name: messages.state,
            cell: ({ behind, resting, slow }) => (
              <Badge tone={behind || resting || slow ? 'bad' : 'good'}>
                {behind ? messages.behind : resting ? messages.resting : slow ? messages.slow : messages.inUse}
              </Badge>
            ),
          },
          { name: messages.lastFault, cell: ({ lastFault }) => lastFault && <span lang="en">{lastFault}</span> },
        ]}
      />
      <h2>{messages.lastCheck}</h2>
      <LastWholeCheck check={check} />
    </>
  );
}
