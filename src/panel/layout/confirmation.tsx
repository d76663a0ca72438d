import type { ComponentChildren } from 'preact';
import { Page } from '../http/reply';
import { useMessages } from './current-visit';
import type { FormProblem } from './form-problem';
import { PostForm } from './post-form';
import { type Fact, Facts } from './values';

interface Props {
  readonly title: string;
  /** What it is about. */
  readonly facts: readonly (Fact | false)[];
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
export function Confirmation({ fields = {}, children, ...props }: Props) {
  return (
    <>
      <h1>{props.title}</h1>
      <Facts facts={props.facts} />
      {props.about}
      {props.text !== undefined && <p>{props.text}</p>}
      <PostForm action={props.action} class="narrow" label={props.title} problem={props.problem}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} autocomplete="off" />
        ))}
        {children}
        <div class="buttons">
          <button type="submit" class="danger">
            {props.button}
          </button>
          {props.otherButton}
          <a href={props.back}>{useMessages('layout').cancel}</a>
        </div>
      </PostForm>
    </>
  );
}
