import type { ComponentChildren } from 'preact';
import { GetButton } from '../layout/buttons';
import { useMessages } from '../layout/current-visit';
import type { CustomerStep, OperatorStep, Step } from './first-run';

interface Props {
  /** Null: it is done. */
  readonly steps: readonly Step<OperatorStep | CustomerStep>[] | null;
  /** In place of the step's own hint. */
  readonly hints?: Readonly<Partial<Record<OperatorStep | CustomerStep, string>>>;
  /** What stands below a step that is left. */
  readonly details?: Readonly<Partial<Record<OperatorStep | CustomerStep, ComponentChildren>>>;
}

/** What is left to do, in its order: the next step is a button, and what is done stays to be seen. */
export function Checklist({ steps, hints, details }: Props) {
  const messages = useMessages('firstRun');
  if (steps === null) return null;
  const next = steps.find(({ done }) => !done);
  return (
    <section class="checklist" aria-label={messages.title}>
      <h2>{messages.title}</h2>
      <ol>
        {steps.map(({ name, done, href }) => (
          <li key={name} class={done ? 'done' : undefined} aria-current={name === next?.name ? 'step' : undefined}>
            <span class="tick" aria-hidden="true" />
            <div>
              <StepName {...{ name, done, href }} isNext={name === next?.name} />{' '}
              {done && <small>{messages.done}</small>}
              {!done && <small class="beneath">{hints?.[name] ?? messages.hints[name]}</small>}
              {!done && details?.[name]}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepName({ name, done, href, isNext }: Step<OperatorStep | CustomerStep> & { readonly isNext: boolean }) {
  const text = useMessages('firstRun').steps[name];
  if (done) return <strong>{text}</strong>;
  return isNext ? <GetButton compact action={href} text={text} /> : <a href={href}>{text}</a>;
}
