import { Injectable } from '@nestjs/common';
import { type Finding, finding } from '../../findings/finding';
import { InstanceTermsRepository } from './instance-terms.repository';
import { differences, type HostTerms } from './terms';

/** Instances that sell at other prices, or take back at other times, than others beside them. */
@Injectable()
export class TermsAlarms {
  constructor(private readonly instances: InstanceTermsRepository) {}

  /** @param also runs besides, or is about to */
  async read(also: readonly HostTerms[] = []): Promise<Finding[]> {
    const differing = differences([...(await this.instances.running()), ...also]);
    return differing === null ? [] : [finding('terms_differ', { differing }, { type: 'service' })];
  }
}
