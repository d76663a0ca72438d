import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { settingsFiles } from '../../config/environment';
import { DiagnoseSecondFactors } from '../auth/second-factors/diagnose-second-factors';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { type Weakness, weakness } from '../common/weakness';
import { describeError } from '../common/errors/describe-error';
import { SecretCipher } from '../common/secret-cipher';
import { describeDatabase } from '../../config/database-urls';
import { diagnoseRole } from '../database/diagnose-role';
import { PG_POOL } from '../database/sql';
import { InstanceTermsRepository } from '../reconciliation/terms/instance-terms.repository';
import { differences, type InstanceSetup } from '../reconciliation/terms/terms';
import { DiagnoseSecrets } from '../webhooks/diagnose-secrets';
import { openFiles } from './open-files';
import { weakConfiguration } from './weak-configuration';
import { textOf } from './weakness-text';

const KEY_FILE = 'file:';

/** The one list of weak settings, which a start, `doctor` and the panel's page Settings show. */
@Injectable()
export class WeakSettings {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly wallets: PoolWallets,
    private readonly webhookSecrets: DiagnoseSecrets,
    private readonly secondFactors: DiagnoseSecondFactors,
    private readonly instances: InstanceTermsRepository,
  ) {}

  /** A line in the log for each. A start goes on where the list cannot be read. */
  async warn(): Promise<void> {
    const logger = new Logger('Settings');
    try {
      for (const { kind, subject, reason, next_step } of (await this.list()).map((one) => textOf(one, 'en')))
        logger.warn({ weakness: { kind, subject } }, `${reason}. ${next_step}`);
    } catch (error) {
      logger.warn(`The weak settings are not known: ${describeError(error)}`);
    }
  }

  async list(): Promise<Weakness[]> {
    return [
      ...weakConfiguration(this.configuration),
      ...openFiles([...settingsFiles(), ...(await this.keyFiles()), ...this.signerFiles()]),
      ...(await this.role()),
      ...(await this.webhookSecrets.run()),
      ...(await this.secondFactors.run()),
      ...(await this.amongInstances()),
    ];
  }

  private async keyFiles(): Promise<string[]> {
    const sources = (await this.wallets.list()).map(({ key_source: source }) => source);
    return sources.filter((source) => source.startsWith(KEY_FILE)).map((source) => source.slice(KEY_FILE.length));
  }

  /** With it one is a client of the signer. */
  private signerFiles(): string[] {
    const { signer } = this.configuration;
    return signer?.kind === 'tls' ? [signer.keyFile] : [];
  }

  /** The embedded database has one role for all. */
  private async role(): Promise<Weakness[]> {
    const { url } = this.configuration.database;
    return url === undefined ? [] : diagnoseRole(this.pool, describeDatabase(url));
  }

  private async amongInstances(): Promise<Weakness[]> {
    const running = await this.instances.running();
    const own = { host: 'this process', keys: new SecretCipher(this.configuration).keyIds };
    const known = running.flatMap(({ host, setup }) =>
      setup.secret_keys === undefined ? [] : [{ host, keys: setup.secret_keys }],
    );
    const terms = [...known, own].map(({ host, keys }) => ({ host, terms: { SECRET_KEYS: keys.join('+') || 'none' } }));
    const differing = differences(terms);
    return [
      ...(differing === null ? [] : [weakness('secret_keys_differ', 'SECRET_KEYS', { differing })]),
      ...running.flatMap(({ host, setup }) => comesOtherwise(host, setup)),
    ];
  }
}

function comesOtherwise(instance: string, { public_url: publicUrl, came_as: origin }: InstanceSetup): Weakness[] {
  if (publicUrl === undefined || origin === undefined) return [];
  return [weakness('public_url_differs', 'PUBLIC_URL', { public_url: publicUrl, origin, instance })];
}
