import type { ComponentChildren } from 'preact';
import { Page } from '../http/reply';
import { useMessages } from './current-visit';
import type { FormProblem } from './form-problem';
import { PostForm } from './post-form';
import { Facts } from './values';

interface Props {
  readonly title: string;
  /** What it is about. */
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
  /** What is to be known beside that. */
  readonly about?: ComponentChildren;
  /** What follows from it. */
  readonly text?: string;
  readonly action: string;
  /** Sent with the answer. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly button: string;
  /** Beside it, in the same form. */
  readonly otherButton?: ComponentChildren;
  readonly back: string;
  /** What was wrong with the answer. */
  readonly problem?: FormProblem;
  /** To be filled in with the answer. */
  readonly children?: ComponentChildren;
}

/** The page before an action that one click should not do. */
export function confirmationPage(props: Props): Page {
  return new Page(props.title, <Confirmation {...props} />);
}

/** Its content. */
export function Confirmation({
  title,
  facts,
  about,
  text,
  action,
  fields = {},
  button,
  otherButton,
  back,
  problem,
  children,
}: Props) {
  return (
    <>
      <h1>{title}</h1>
      <Facts facts={facts} />
      {about}
      {text !== undefined && <p>{text}</p>}
      <PostForm action={action} class="narrow" label={title} problem={problem}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} autocomplete="off" />
        ))}
        {children}
        <div class="buttons">
          <button type="submit" class="danger">
            {button}
          </button>
          {otherButton}
          <a href={back}>{useMessages('layout').cancel}</a>
        </div>
      </PostForm>
    </>
  );
}
