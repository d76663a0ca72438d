import { CopyButton } from './copy-button';

interface Props {
  /** On the page; what says what it is has this id with `-label` behind it. */
  readonly id: string;
  readonly text: string;
  /** Of several lines: `pre`. */
  readonly as?: 'code' | 'pre';
  readonly copy: string;
  readonly copied: string;
}

/** What a page shows once, to be copied. */
export function Secret({ id, text, as: Element = 'code', copy, copied }: Props) {
  return (
    <>
      <Element class="secret" id={id} aria-labelledby={`${id}-label`} role="textbox" aria-readonly="true" tabindex={0}>
        {text}
      </Element>
      <p>
        <CopyButton source={id} name={copy} done={copied} />
      </p>
    </>
  );
}
