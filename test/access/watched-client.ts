import { type PanelAnswer, PanelClient } from '../support/panel-client';
import { told } from './victim-marks';

type Fields = Parameters<PanelClient['post']>[1];

/** A client of somebody who attacks: every answer is searched for what is the victim's alone. */
export class WatchedClient extends PanelClient {
  constructor(
    url: string,
    headers: Record<string, string>,
    private readonly marks: readonly string[],
    private readonly found: string[],
  ) {
    super(url, headers);
  }

  override async get(path: string): Promise<PanelAnswer> {
    return this.watch(path, path, await super.get(path));
  }

  override async post(path: string, fields: Fields = {}): Promise<PanelAnswer> {
    const sent = `${path} ${Object.values(fields).flat().map(encodeURIComponent).join(' ')}`;
    return this.watch(path, sent, await super.post(path, fields));
  }

  private watch(path: string, sent: string, answer: PanelAnswer): PanelAnswer {
    const found = told(this.marks, sent, answer.text);
    if (found.length > 0) this.found.push(`${path} tells ${found.join(', ')}`);
    return answer;
  }
}
