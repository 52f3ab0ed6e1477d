/* The name by which Open MPI finds the messaging component: in C, as Open MPI's macros are. */
#include "ompi_config.h"
#include "ompi/mca/pml/pml.h"

mca_pml_base_module_t* weft_pml_init(int* priority, bool has_progress_threads, bool has_threads);
int weft_pml_end(void);

mca_pml_base_component_2_0_0_t mca_pml_weft_component = {
    .pmlm_version =
        {
            MCA_PML_BASE_VERSION_2_0_0,
            .mca_component_name = "weft",
            MCA_BASE_MAKE_VERSION(component, OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION),
        },
    .pmlm_data = {MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .pmlm_init = weft_pml_init,
    .pmlm_finalize = weft_pml_end,
};
