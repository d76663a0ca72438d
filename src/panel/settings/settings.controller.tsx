import { Get } from '@nestjs/common';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { SettingsReader } from './settings-reader';
import { SettingsPage } from './settings.page';

@PanelController('operator/settings', 'operator')
export class SettingsController {
  constructor(private readonly settings: SettingsReader) {}

  @Get()
  async show(@ThisVisit() visit: UserVisit): Promise<Reply> {
    const page = <SettingsPage view={await this.settings.read()} />;
    return new Page(visit.messages.settings.title, page);
  }
}
