import { Injectable } from '@nestjs/common';
import { DiagnoseKeys } from '../chain/pool/doctor/diagnose-keys';
import type { Diagnosis } from '../chain/pool/doctor/diagnosis';
import { CareRepository } from './care.repository';

/** Whether the key of each wallet's care may sign what the care needs, and nothing else. */
@Injectable()
export class DiagnoseCareKeys {
  constructor(
    private readonly cares: CareRepository,
    private readonly keys: DiagnoseKeys,
  ) {}

  async run(): Promise<Diagnosis[]> {
    const found: Diagnosis[] = [];
    for (const care of await this.cares.list()) found.push(...(await this.keys.diagnose(care)).findings.map(ofCare));
    return found;
  }

  async runFor(name: string): Promise<Diagnosis[]> {
    const care = (await this.cares.list()).find((one) => one.name === name);
    return care ? (await this.keys.diagnose(care)).findings.map(ofCare) : [];
  }
}

/** A wallet's own key may have the same fault. */
function ofCare({ subject, ...rest }: Diagnosis): Diagnosis {
  return { ...rest, subject: `care of ${subject}` };
}
