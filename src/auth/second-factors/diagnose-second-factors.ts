import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../../common/secret-cipher';
import { type Weakness, weakness } from '../../common/weakness';
import { SecondFactorRepository } from './second-factor.repository';

/** How the secrets of second factors are kept, as the settings and the rows say together. */
@Injectable()
export class DiagnoseSecondFactors {
  constructor(
    private readonly factors: SecondFactorRepository,
    private readonly cipher: SecretCipher,
  ) {}

  async run(): Promise<Weakness[]> {
    const kept = await this.factors.countSecrets();
    return kept.flatMap(({ key, factors }): Weakness[] => {
      const count = String(factors);
      const hasKey = String(this.cipher.encrypts);
      if (key === null) return [weakness('second_factors_unencrypted', 'SECRET_KEYS', { count, has_key: hasKey })];
      return this.cipher.has(key) ? [] : [weakness('second_factor_key_missing', 'SECRET_KEYS', { count, key })];
    });
  }
}
