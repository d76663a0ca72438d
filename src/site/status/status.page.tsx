import type { Language } from '../../../config/languages';
import { LANGUAGES } from '../../languages/languages';
import { groupDigits } from '../../panel/layout/values';
import type { Incident } from '../../reporting/service-record/incident.repository';
import type { Refusing, Status, StatusDay } from './service-status';
import { MOST_INCIDENTS, reasonOf, type StatusTexts, successPercent } from './status.json';

interface Props {
  readonly language: Language;
  readonly status: Status;
}

const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const percent = (figures: { readonly orders: bigint; readonly failed: bigint }): string => {
  const value = successPercent(figures);
  return value === null ? '–' : `${value} %`;
};

/** Whether orders are taken, and how the service did in 90 days. */
export function StatusContent({ language, status }: Props) {
  const texts = LANGUAGES[language].site.status;
  const { refusing, inclusionMs, days, orders, failed } = status;
  const down = days.reduce((sum, { downMinutes }) => sum + downMinutes, 0);
  return (
    <div class="frame alone">
      <main id="content" tabindex={-1}>
        <h1>{texts.title}</h1>
        <Now language={language} refusing={refusing} />
        <h2>{texts.ninetyDays}</h2>
        <dl class="tiles">
          <div>
            <dt>{texts.success}</dt>
            <dd>{percent(status)}</dd>
            <dd>
              <small>{orders === 0n ? texts.nothing : texts.lost(groupDigits(failed), groupDigits(orders))}</small>
            </dd>
          </div>
          <div>
            <dt>{texts.inclusion}</dt>
            <dd>{inclusionMs.p50 === null ? '–' : texts.half(texts.seconds(seconds(inclusionMs.p50)))}</dd>
            {inclusionMs.p95 !== null && (
              <dd>
                <small>{texts.slowest(texts.seconds(seconds(inclusionMs.p95)))}</small>
              </dd>
            )}
          </div>
          <div>
            <dt>{texts.down}</dt>
            <dd>{texts.duration(Math.floor(down / 60), down % 60)}</dd>
          </div>
        </dl>
        <NinetyDays language={language} days={days} />
        <h2>{texts.incidentTitle}</h2>
        <Incidents language={language} incidents={status.incidents} />
        <h2>{texts.countedTitle}</h2>
        <p>{texts.counted}</p>
        <p>
          <a href="/status.json">{texts.file}</a>
        </p>
      </main>
    </div>
  );
}

/** Two digits are as exact as the figures are. */
const seconds = (ms: number): string => String(Number((ms / 1000).toPrecision(2)));

function Now({ language, refusing }: { language: Language; refusing: Refusing | null }) {
  const texts = LANGUAGES[language].site.status;
  if (refusing === null) return <p class="now">{texts.taken}</p>;
  const { cause, words, since } = refusing;
  return (
    <div class="now refused">
      <strong>{texts.causes[cause]}</strong>
      {words !== null && <div dir="auto">{words}</div>}
      {since !== null && <small>{texts.since(minute(since))}</small>}
    </div>
  );
}

const BAR = 10;
const HIGH = 60;
/** One failure on a day of many orders still shows. */
const LEAST = 8;

/** A bar for each day; the table below it says the same in numbers. */
function NinetyDays({ language, days }: { language: Language; days: readonly StatusDay[] }) {
  const texts = LANGUAGES[language].site.status;
  return (
    <>
      <svg
        class="ninety"
        viewBox={`0 0 ${days.length * BAR} ${HIGH}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.picture(days.filter(({ failed }) => failed > 0n).length, days.length)}
      >
        {days.map((day, index) => (
          <Bar key={day.date} day={day} x={index * BAR} />
        ))}
      </svg>
      <p class="ends">
        <small>{days[0]!.date}</small>
        <small>{days.at(-1)!.date}</small>
      </p>
      <details>
        <summary>{texts.byDay}</summary>
        <div class="scroll" tabindex={0}>
          <table class="record">
            <thead>
              <tr>
                {[texts.day, texts.orders, texts.failed, texts.success, texts.down].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((day) => (
                <tr key={day.date}>
                  <td>{day.date}</td>
                  <td>{groupDigits(day.orders)}</td>
                  <td>{groupDigits(day.failed)}</td>
                  <td>{percent(day)}</td>
                  <td>
                    {day.downMinutes === 0
                      ? '–'
                      : texts.duration(Math.floor(day.downMinutes / 60), day.downMinutes % 60)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

function Bar({ day: { orders, failed, downMinutes }, x }: { day: StatusDay; x: number }) {
  const share = Math.max(orders === 0n ? 0 : Number((failed * 1_000n) / orders) / 1_000, downMinutes / (24 * 60));
  const isLost = failed > 0n || downMinutes > 0;
  const lost = isLost ? Math.min(HIGH, Math.max(LEAST, share * HIGH)) : 0;
  return (
    <>
      <rect class={orders > 0n ? 'served' : undefined} x={x + 1} y={lost} width={BAR - 2} height={HIGH - lost} />
      {isLost && <rect class="lost" x={x + 1} y={0} width={BAR - 2} height={lost} />}
    </>
  );
}

const timesOf = ({ from, until }: Incident, texts: StatusTexts) =>
  until === null ? texts.since(minute(from)) : texts.span(minute(from), minute(until));

/** Newest first. */
function Incidents({ language, incidents }: { language: Language; incidents: readonly Incident[] }) {
  const texts = LANGUAGES[language].site.status;
  if (incidents.length === 0) return <p>{texts.noIncident}</p>;
  return (
    <ol class="incidents">
      {incidents
        .slice(-MOST_INCIDENTS)
        .toReversed()
        .map((incident) => (
          <li key={`${incident.kind} ${incident.from.toISOString()}`}>
            <strong>{texts.incidents[incident.kind]}</strong>
            <p>{timesOf(incident, texts)}</p>
            <p dir="auto">{reasonOf(incident, texts)}</p>
          </li>
        ))}
    </ol>
  );
}
