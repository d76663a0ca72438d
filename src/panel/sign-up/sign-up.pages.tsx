import type { ComponentChildren } from 'preact';
import { LANGUAGE_CODES } from '../../../config/languages';
import { type Form, textOf } from '../http/form';
import { Choice, Field, type FormProblem, PostForm, useMessages, useVisit } from '../layout/components';
import { CATALOGUES } from '../messages/catalogues';
import { NewPasswordFields } from '../sign-in/password-fields';

interface SignUpProps {
  readonly siteName: string;
  /** An operator decides on each. */
  readonly approval: boolean;
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function SignUpPage({ siteName, approval, form, problem }: SignUpProps) {
  const messages = useMessages('signUp');
  const { locale } = useVisit();
  const languages = LANGUAGE_CODES.map((code) => [code, CATALOGUES[code].language.name] as const);
  return (
    <div class="narrow">
      <h1>{messages.title(siteName)}</h1>
      <p>{approval ? messages.introApproval : messages.intro}</p>
      <PostForm action="/panel/sign-up" form={form} problem={problem}>
        <Field name="name" label={messages.name} autocomplete="organization" required autofocus />
        <Field name="email" type="email" label={messages.email} autocomplete="username" required />
        <NewPasswordFields first />
        <Choice
          name="language"
          label={messages.language}
          value={textOf(form, 'language') || locale}
          options={languages}
        />
        <button type="submit">{messages.submit}</button>
      </PostForm>
      <p>
        <a href="/panel/sign-in">{messages.haveAccount}</a>
      </p>
    </div>
  );
}

interface SaidProps {
  readonly title: string;
  readonly texts: readonly string[];
  readonly link?: { readonly href: string; readonly text: string };
}

/** What came of a form or a link, and where to go on. */
export function SaidPage({ title, texts, link }: SaidProps) {
  return (
    <div class="narrow">
      <h1>{title}</h1>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {link && (
        <p>
          <a href={link.href}>{link.text}</a>
        </p>
      )}
    </div>
  );
}

interface ConfirmSignUpProps {
  readonly email: string;
  /** The reader chooses one, and the one that a stranger may have typed with the address does not count. */
  readonly asksPassword: boolean;
  readonly problem?: FormProblem;
}

export function ConfirmSignUpPage({ email, asksPassword, problem }: ConfirmSignUpProps) {
  const messages = useMessages('signUp');
  const { url } = useVisit();
  if (!asksPassword) {
    return (
      <ConfirmPage email={email} text={messages.confirmHere(email)} problem={problem}>
        <p>
          <a href={`${url}&choose=1`}>{messages.chooseAnother}</a>
        </p>
      </ConfirmPage>
    );
  }
  return (
    <div class="narrow">
      <h1>{messages.confirmTitle}</h1>
      <p>{messages.confirmSignUp(email)}</p>
      <PostForm problem={problem}>
        {/* For password managers: whose password this is. */}
        <input type="email" name="username" value={email} autocomplete="username" hidden readonly />
        <NewPasswordFields first />
        <button type="submit">{messages.confirm}</button>
      </PostForm>
    </div>
  );
}

interface ConfirmProps {
  readonly email: string;
  /** In place of the sentence that names the address. */
  readonly text?: string;
  readonly problem?: FormProblem;
  /** Below the button. */
  readonly children?: ComponentChildren;
}

/** A button and nothing else: a program that opens every link of a mail presses none. */
export function ConfirmPage({ email, text, problem, children }: ConfirmProps) {
  const messages = useMessages('signUp');
  return (
    <div class="narrow">
      <h1>{messages.confirmTitle}</h1>
      <p>{text ?? messages.confirmText(email)}</p>
      <PostForm problem={problem}>
        <button type="submit">{messages.confirm}</button>
      </PostForm>
      {children}
    </div>
  );
}

export function ForgotPage({ email = '', problem }: { email?: string; problem?: FormProblem }) {
  const messages = useMessages('signUp');
  return (
    <div class="narrow">
      <h1>{messages.forgotTitle}</h1>
      <p>{messages.forgotText}</p>
      <PostForm action="/panel/forgot" problem={problem}>
        <Field
          name="email"
          type="email"
          label={messages.email}
          value={email}
          autocomplete="username"
          required
          autofocus
        />
        <button type="submit">{messages.forgotSubmit}</button>
      </PostForm>
      <p>
        <a href="/panel/sign-in">{messages.haveAccount}</a>
      </p>
    </div>
  );
}
