import { Get } from '@nestjs/common';
import { CurrentPageContext, type SignedInPageContext } from '../http/page-context';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply } from '../http/reply';
import { SettingsReader } from './settings-reader';
import { SettingsPage } from './settings.page';

@PanelController('operator/settings', 'operator')
export class SettingsController {
  constructor(private readonly settings: SettingsReader) {}

  @Get()
  async show(@CurrentPageContext() pageContext: SignedInPageContext): Promise<Reply> {
    const page = <SettingsPage settings={await this.settings.read()} />;
    return new Page(pageContext.messages.settings.title, page);
  }
}
