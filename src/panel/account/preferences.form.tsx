import { LANGUAGE_CODES } from '../../../config/languages';
import { Choice, PostForm, useMessages, useUserVisit } from '../layout/components';
import { TIME_ZONES } from '../layout/time-zone';
import { CATALOGUES } from '../messages/catalogues';

export const PREFERENCES_PATH = '/panel/account/preferences';

/** Time zone and language, kept with the user: as they are on every machine. */
export function PreferencesForm() {
  const { user } = useUserVisit();
  const messages = useMessages('preferences');
  const { ownTimeZone, language } = user;
  return (
    <>
      <h2>{messages.title}</h2>
      <PostForm action={PREFERENCES_PATH} class="inline" label={messages.title}>
        <Choice
          name="time_zone"
          label={messages.timeZone}
          value={ownTimeZone ?? ''}
          options={[['', messages.asBrowser], ...TIME_ZONES.map((zone) => [zone, zone.replaceAll('_', ' ')] as const)]}
        />
        <Choice
          name="language"
          label={messages.language}
          value={language ?? ''}
          options={[
            ['', messages.asBrowser],
            ...LANGUAGE_CODES.map((one) => [one, CATALOGUES[one].language.name] as const),
          ]}
        />
        <button type="submit" class="secondary">
          {messages.save}
        </button>
      </PostForm>
      <p class="caption">{messages.withoutScript}</p>
    </>
  );
}
