import { Injectable } from '@nestjs/common';
import type { ConfigurationWarning } from '../../../config/configuration-warnings';
import { plural } from '../../common/plural';
import { SecretCipher } from '../../common/secret-cipher';
import { SecondFactorRepository } from './second-factor.repository';

/** For `doctor`: how the secrets of second factors are kept, as the settings and the rows say together. */
@Injectable()
export class DiagnoseSecondFactors {
  constructor(
    private readonly factors: SecondFactorRepository,
    private readonly cipher: SecretCipher,
  ) {}

  async run(): Promise<ConfigurationWarning[]> {
    const kept = await this.factors.countSecrets();
    return kept.flatMap(({ key, factors }) => {
      const count = plural(factors, 'second factor', 'second factors');
      if (key === null) return [unencrypted(count, this.cipher.encrypts)];
      return this.cipher.has(key) ? [] : [keyMissing(count, key)];
    });
  }
}

function unencrypted(count: string, hasKey: boolean): ConfigurationWarning {
  const anew = 'have their users set them up again (Account in the panel)';
  return {
    kind: 'second_factors_unencrypted',
    subject: 'SECRET_KEYS',
    reason: `the secrets of ${count} are stored as they are: who reads the database, or a dump of it, can make their codes`,
    next_step: hasKey ? anew : `set SECRET_KEYS (openssl rand -base64 32) on every instance, then ${anew}`,
  };
}

function keyMissing(count: string, key: string): ConfigurationWarning {
  return {
    kind: 'second_factor_key_missing',
    subject: 'SECRET_KEYS',
    reason: `the secrets of ${count} were encrypted with the key ${key}, which is not set: only recovery codes are taken`,
    next_step:
      'add that key to SECRET_KEYS, behind the one that encrypts; if it is lost, reset them (user:reset-second-factor EMAIL)',
  };
}
