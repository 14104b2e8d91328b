export { default } from '../../plugin-sdk/ui/build/uiModule.ts';
