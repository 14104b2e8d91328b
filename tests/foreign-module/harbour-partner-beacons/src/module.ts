import { defineModule } from '@masthead/ui-sdk';
import { View } from './View.tsx';

export default defineModule({ id: 'harbour-partner-beacons', slot: 'footer.rows', contract: 1, Component: View });
