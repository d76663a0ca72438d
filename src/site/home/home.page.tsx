import type { Language } from '../../../config/languages';
import { LANGUAGES } from '../../languages/languages';
import { groupDigits } from '../../panel/layout/values';
import type { Reader } from '../http/site-page';
import { panelPath, statusPath } from '../layout/site-layout';
import { documentPath } from '../docs/page-names';
import type { EnergyNow } from './energy-now';

interface Props {
  readonly reader: Reader;
  /** TRX, of one transaction. */
  readonly price: string;
  readonly energy: EnergyNow;
  readonly signUp: boolean;
  readonly statusPage: boolean;
}

/** For somebody who has never been here. */
export function HomeContent({ reader, price, energy, signUp, statusPage }: Props) {
  const { language } = reader;
  const texts = LANGUAGES[language].site;
  return (
    <div class="frame alone">
      <main id="content" tabindex={-1}>
        <h1>{texts.home.title}</h1>
        <p class="lead">{texts.home.lead}</p>
        <dl class="tiles">
          <div>
            <dt>{texts.home.price}</dt>
            <dd>{texts.home.priceOf(price)}</dd>
            <dd>
              <small>{texts.home.priceHint}</small>
            </dd>
          </div>
          <div>
            <dt>{texts.home.available}</dt>
            <dd>{energyText(language, energy)}</dd>
          </div>
          <div>
            <dt>{texts.home.status}</dt>
            <dd>{texts.home.statusOf[energy.state]}</dd>
            {statusPage && (
              <dd>
                <small>
                  <a href={statusPath(reader)}>{texts.home.record}</a>
                </small>
              </dd>
            )}
          </div>
        </dl>
        <p class="ways">
          {signUp && (
            <a role="button" href={panelPath(reader, '/panel/sign-up')}>
              {texts.signUp}
            </a>
          )}
          <a role="button" class={signUp ? 'secondary outline' : undefined} href={panelPath(reader, '/panel/sign-in')}>
            {texts.signIn}
          </a>
          <a role="button" class="secondary outline" href={documentPath(language, 'index')}>
            {texts.documents}
          </a>
        </p>
        <h2>{texts.home.how}</h2>
        <ol>
          {texts.home.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p>
          <a href={documentPath(language, 'first-order')}>{texts.home.first}</a>
        </p>
      </main>
    </div>
  );
}

function energyText(language: Language, energy: EnergyNow): string {
  const texts = LANGUAGES[language].site.home;
  if (energy.state !== 'available') return texts[energy.state];
  return texts.energy(groupDigits(energy.energy), groupDigits(energy.transactions));
}
